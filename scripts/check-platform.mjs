// Checks that no source uses private names of Node or of a library, generates code, or sets V8 flags at run time. The
// relay's fast socket is the exception, and has a package of its own.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const top = fileURLToPath(new URL('../', import.meta.url))

const privateNames = [
  /\b_handle\b/,
  /\b_zod\b/,
  /\b_parsers\b/,
  /\b_result\b/,
  /\bnew Function\b/,
  /\bexpose-gc\b/,
  /\bsetFlagsFromString\b/,
  /\.prototype\b/,
]

const exempt = [
  /^packages\/relay-socket\//,
  /(^|\/)test\//,
  // Patches Web Audio of the page that it measures, like tests of pages do.
  /^qa\/stage\/src\/voice\/speaker-tap\.ts$/,
  /^scripts\/check-platform\.mjs$/,
]

/** Files that still use one of the names. This list may only shrink. */
const known = new Set([
  'apps/server/src/adapters/database/embedded/postpone-optimizing.ts',
  'apps/server/src/adapters/websocket/copy-into.ts',
  'apps/server/src/adapters/websocket/direct-connection.ts',
  'apps/server/src/main.ts',
  'qa/bench/src/relay/bare-relay-process.ts',
  'qa/bench/src/relay/wire/read-connection.ts',
])

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mts', '*.mjs', '*.js'], {
  cwd: top,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .split('\n')
  .filter((file) => file !== '' && !exempt.some((pattern) => pattern.test(file)) && existsSync(top + file))

const hits = new Map(files.map((file) => [file, hitsIn(file)]).filter(([, lines]) => lines.length > 0))

const faults = [...hits].filter(([file]) => !known.has(file)).flatMap(([, lines]) => lines)
if (faults.length > 0) {
  console.error(
    `Private names, generated code or V8 flags:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  )
  process.exitCode = 1
}
for (const file of known)
  if (!hits.has(file)) console.warn(`${file} has none any more: remove it from \`known\` in this script.`)

function hitsIn(file) {
  return readFileSync(top + file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      privateNames.some((name) => name.test(line)) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
    )
}
