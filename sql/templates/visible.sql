status = 'active'
and list_contains($scopes::varchar[], scope)
and list_contains($classes::varchar[], boundary_class)
and {invariants}
