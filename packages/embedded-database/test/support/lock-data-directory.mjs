// Locks the given data directory, prints the outcome, and keeps the lock until it is killed.
import { lockDataDirectory } from '#embedded-database/data-directory-lock.js'

try {
  await lockDataDirectory(process.argv[2])
  process.stdout.write('held\n')
  setInterval(() => {}, 60_000)
} catch (error) {
  process.stdout.write(`${error.name}: ${error.message}\n`)
}
