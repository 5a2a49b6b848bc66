import type pg from 'pg'

/** Runs `work` in a transaction on one connection of the pool. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  // A connection that is lost under way fails its query; the event besides, unheard, would end the process.
  const ignore = () => undefined
  client.on('error', ignore)
  let isBroken = false
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      isBroken = true
    })
    throw error
  } finally {
    client.release(isBroken)
    client.removeListener('error', ignore)
  }
}
