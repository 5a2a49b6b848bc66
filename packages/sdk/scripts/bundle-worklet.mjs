// Bundles the audio worklet into a file for pages, and into text for pages without that file. With
// `--check`, writes nothing and fails if the bundles are outdated.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

const bundle = await rolldown({ input: at('src/audio/worklet.ts') })
const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false })
const code = output[0].code

const files = {
  [at('audio.worklet.js')]: code,
  [at('src/audio/worklet-source.ts')]:
    `/** Generated from worklet.ts by packages/sdk/scripts/bundle-worklet.mjs. Do not edit. */\nexport const workletSource =\n  ${JSON.stringify(code)}\n`,
}

for (const [path, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) await writeFile(path, text)
  else if ((await readFile(path, 'utf8')) !== text) {
    process.stderr.write(`${path} is outdated: run npm run generate.\n`)
    process.exitCode = 1
  }
}
