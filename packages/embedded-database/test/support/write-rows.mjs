// Writes rows in transactions of three until it is killed, and prints each number after its commit.
import { openEmbeddedDatabase } from '#embedded-database/open-embedded-database.js'

const [dataDir, start] = process.argv.slice(2)
const { pool } = await openEmbeddedDatabase({ dataDir, onCrash: () => process.exit(1) })
await pool.query('create table if not exists number (n int, part int, filler text)')

async function write(first) {
  for (let n = first; ; n += 2) {
    const client = await pool.connect()
    await client.query('begin')
    for (let part = 0; part < 3; part += 1)
      await client.query('insert into number values ($1, $2, $3)', [n, part, 'x'.repeat(200)])
    await client.query('commit')
    client.release()
    process.stdout.write(`${n}\n`)
  }
}

await Promise.all([write(Number(start)), write(Number(start) + 1)])
