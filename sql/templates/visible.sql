status = $status
and list_contains($scopes::varchar[], scope)
and list_contains($classes::varchar[], boundary_class)
and recency_anchor > case scope
    when 'session' then $session_since
    when 'project' then $project_since
    when 'principle' then $principle_since
    end
and {invariants}
