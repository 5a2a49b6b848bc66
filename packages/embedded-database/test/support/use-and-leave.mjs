// Uses a database and exits on its own, with or without closing it.
import { openEmbeddedDatabase } from '#embedded-database/open-embedded-database.js'

const [dataDir, how] = process.argv.slice(2)
try {
  const { pool, close } = await openEmbeddedDatabase({ dataDir, onCrash: () => process.exit(1) })
  const { rows } = await pool.query('select count(*)::int as count from pg_sleep(0.3)')
  process.stdout.write(`${rows[0].count}\n`)
  if (how === 'close') await close()
} catch (error) {
  process.stdout.write(`${error.name}: ${error.message}\n`)
}
