// Checks that no source uses private names of Node or of a library, generates code, or sets V8 flags at run time. The
// relay's fast socket is the exception, and has its own package.
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

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mts', '*.mjs', '*.js'], {
  cwd: top,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .split('\n')
  .filter((file) => file !== '' && !exempt.some((pattern) => pattern.test(file)) && existsSync(top + file))

const hits = new Map(files.map((file) => [file, hitsIn(file)]).filter(([, lines]) => lines.length > 0))

const faults = [...hits.values()].flat()
if (faults.length > 0) {
  console.error(
    `Private names, generated code or V8 flags:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  )
  process.exitCode = 1
}

function hitsIn(file) {
  return readFileSync(top + file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      privateNames.some((name) => name.test(line)) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
    )
}
