import { withPostgresClient } from './postgres-connection.js'

/** Makes PostgreSQL refuse rows. Returns a function that ends this. */
export async function refuseRows(
  databaseUrl: string,
  table: string,
  { event, condition }: { readonly event: 'insert' | 'update'; readonly condition: string },
): Promise<() => Promise<void>> {
  const run = (statement: string) =>
    withPostgresClient(databaseUrl, async (client) => void (await client.query(statement)))
  await run(`create or replace function refuse_row() returns trigger language plpgsql as
    $$ begin raise exception 'The row is refused.'; end $$`)
  await run(`create trigger refuse_row before ${event} on ${table} for each row when (${condition})
    execute function refuse_row()`)
  return () => run(`drop trigger refuse_row on ${table}`)
}
