// Compiles unmask.wat to WebAssembly, and writes it down as text, so that it is a module like any other.
// `--check` changes nothing and fails where it is not what the source makes.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import wabt from 'wabt'

const at = (name) => fileURLToPath(new URL(`../src/adapters/websocket/${name}`, import.meta.url))

const source = await readFile(at('unmask.wat'), 'utf8')
const { buffer } = (await wabt()).parseWat('unmask.wat', source, { simd: true }).toBinary({})
const code = Buffer.from(buffer).toString('base64')

const path = at('unmask-code.ts')
const text = `/** Made by apps/server/scripts/compile-unmask.mjs of unmask.wat. */\nexport const unmaskCode =\n  '${code}'\n`
if (!process.argv.includes('--check')) await writeFile(path, text)
else if ((await readFile(path, 'utf8')) !== text) {
  process.stderr.write(`${path} is stale: run npm run generate.\n`)
  process.exitCode = 1
}
