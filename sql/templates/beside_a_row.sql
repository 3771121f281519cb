select * exclude (no_row_at_all)
from (select true) as beside(no_row_at_all) left join ({statement}) on true
