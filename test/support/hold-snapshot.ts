import type pg from 'pg'

/** Opens a transaction that reads the database as it is now. Returns the function that ends it. */
export async function holdSnapshot(pool: pg.Pool): Promise<() => void> {
  const client = await pool.connect()
  await client.query('begin isolation level repeatable read; select 1')
  return () => client.release(true)
}
