-- What ./sqlline runs once so that the classes of an ordinary session are in its archive; on the fixture versions_stable_21.
!tables
!columns data
select d.*, _rowid, _row_created_at_version from data as d where id > 3 order by id desc limit 3;
select _row_last_updated_at_version, count(*), min(s), sum(id) from data group by _row_last_updated_at_version order by 1;
select a.id, b.s from data as a join "data@2" as b on a._rowid = b._rowid limit 3;
select count(*) from "data$versions";
