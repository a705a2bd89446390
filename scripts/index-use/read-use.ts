/** Reads which indexes PostgreSQL uses for statements once tables have grown. */
import type pg from 'pg'

type Client = Pick<pg.ClientBase, 'query'>
type Plan = { 'Node Type': string; 'Index Name'?: string; 'Index Cond'?: string; Plans?: Plan[] }

/** An index. The indexes of partitions count as the one of the partitioned table. */
type Index = {
  name: string
  /** True when it is neither unique nor exclusive: it enforces nothing, and exists only to speed up statements. */
  isPlain: boolean
  isPartial: boolean
  partitions: string[]
  table: string
  /** Other plain indexes of the table whose first column differs. */
  rivals: string[]
}

/** A foreign key of `table` to `target`. `text` is the statement that finds the rows that refer to a deleted row. */
type Reference = { name: string; table: string; target: string; isCascade: boolean; text: string }

/** The indexes of a database, with functions that return which of them a statement uses. */
export type IndexUse = {
  /** The indexes that need a statement, in the order of their names. */
  plain: readonly string[]
  references: readonly Reference[]
  /** Returns the indexes by which a statement is executed; none for a text that is no statement of tables. */
  indexesOf(text: string): Promise<string[]>
  /**
   * Returns whether a statement is executed by an index where its table has none that begins with another column. The
   * numbers of rows are the same for every table here, so the planner may prefer one of these.
   */
  isNextBest(name: string, text: string): Promise<boolean>
}

/**
 * Reads the indexes of a migrated database. It changes the planner's settings and statistics: nothing else may use the
 * database afterwards.
 */
export async function readIndexUse(client: Client): Promise<IndexUse> {
  await client.query('select make_day(current_date)')
  await client.query(PLAN_FOR_LARGE_TABLES)
  const { rows: indexes } = await client.query<Index>(INDEXES)
  const { rows: references } = await client.query<Reference>(REFERENCES)
  const wholes = new Map(
    indexes.flatMap((index) => [index.name, ...index.partitions].map((name) => [name, index])),
  )
  const indexesOf = async (text: string) => {
    const used = (await explain(client, text)).flatMap((node) => {
      const index = wholes.get(node['Index Name'] ?? '')
      // Such a scan reads the smallest index whole, because the statement needs no column and no order.
      const isAny =
        node['Node Type'] === 'Index Only Scan' && !node['Index Cond'] && !index?.isPartial
      return index && !isAny ? [index.name] : []
    })
    return [...new Set(used)]
  }
  return {
    plain: indexes.filter(({ isPlain }) => isPlain).map(({ name }) => name),
    references,
    indexesOf,
    async isNextBest(name, text) {
      const { table, rivals } = wholes.get(name)!
      if (!new RegExp(`\\b${table}\\b`).test(text)) return false
      await client.query(SET_VALID, [rivals, false])
      const used = await indexesOf(text)
      await client.query(SET_VALID, [rivals, true])
      return used.includes(name)
    },
  }
}

const SET_VALID = 'update pg_index set indisvalid = $2 where indexrelid = any($1::regclass[])'

const STATEMENT = /^\s*(?:\/\*.*?\*\/\s*)?(?:with|select|insert|update|delete)\b/i

async function explain(client: Client, text: string): Promise<Plan[]> {
  if (!STATEMENT.test(text)) return []
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (generic_plan, format json) ${text}`,
    )
    return nodesOf(rows[0]!['QUERY PLAN'][0].Plan)
  } catch {
    // The statement is of an earlier schema, or one that a test expects to fail.
    return []
  }
}

const nodesOf = (node: Plan): Plan[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/**
 * Statements that make the planner see large tables. It assumes that an empty index costs nothing, and reads numbers of
 * rows from the catalog. So every table gets one row without values, which is in every index because conditions are
 * removed meanwhile. Then the catalog is set to a million rows, of which a partial index contains a tenth.
 */
const PLAN_FOR_LARGE_TABLES = `
  set session_replication_role = replica;
  begin;
  create temp table own as select oid, relname, relchecks, relispartition from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r';
  create temp table condition as select indexrelid, indpred from pg_index
    where indrelid in (select oid from own) and indpred is not null;
  create temp table required as select attrelid, attnum from pg_attribute
    where attrelid in (select oid from own) and attnum > 0 and attnotnull;
  update pg_class set relchecks = 0, relispartition = false where oid in (select oid from own);
  update pg_index set indpred = null where indexrelid in (select indexrelid from condition);
  update pg_attribute set attnotnull = false
    where (attrelid, attnum) in (select attrelid, attnum from required);
  do $$
  declare
    name text;
  begin
    for name in select relname from own loop
      execute format('insert into %I default values', name);
    end loop;
  end $$;
  update pg_attribute set attnotnull = true
    where (attrelid, attnum) in (select attrelid, attnum from required);
  update pg_index set indpred = condition.indpred from condition
    where pg_index.indexrelid = condition.indexrelid;
  update pg_class set relchecks = own.relchecks, relispartition = own.relispartition,
    relpages = 1, reltuples = 1e6
    from own where pg_class.oid = own.oid;
  update pg_class set relpages = 2, reltuples = case when indpred is null then 1e6 else 1e5 end
    from pg_index where pg_class.oid = indexrelid and indrelid in (select oid from own);
  commit;
  set enable_seqscan = off; set enable_mergejoin = off`

const INDEXES = `
  select index.relname as name, indpred is not null as "isPartial",
    not (indisunique or indisexclusion) as "isPlain",
    array(select part.relname from pg_inherits join pg_class part on part.oid = inhrelid
      where inhparent = indexrelid)::text[] as partitions,
    indrelid::regclass::text as table,
    array(select other.indexrelid::regclass::text from pg_index other
      where other.indrelid = pg_index.indrelid and not (other.indisunique or other.indisexclusion)
        and other.indkey[0] <> pg_index.indkey[0]) as rivals
  from pg_index join pg_class index on index.oid = indexrelid
  where index.relnamespace = current_schema()::regnamespace and not index.relispartition
  order by 1`

const REFERENCES = `
  select conname as name, conrelid::regclass::text as table, confrelid::regclass::text as target,
    confdeltype = 'c' as "isCascade",
    format('select from %s where %s', conrelid::regclass, (
      select string_agg(format('%I = $%s', attname, place), ' and ' order by place)
      from unnest(conkey) with ordinality as key (number, place)
        join pg_attribute on attrelid = conrelid and attnum = number)) as text
  from pg_constraint
  where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
  order by 1`
