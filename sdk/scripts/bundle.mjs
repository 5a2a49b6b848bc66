// Bundles what a page loads without a bundler of its own: dist/browser/realtime.js. Prints its size, gzipped.
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

const bundle = await rolldown({ input: { realtime: at('dist/realtime/index.js') }, platform: 'browser' })
const { output } = await bundle.write({
  dir: at('dist/browser'),
  format: 'esm',
  minify: true,
  comments: false,
})
for (const { fileName, code } of output)
  process.stdout.write(`${fileName} ${gzipSync(code, { level: 9 }).length}\n`)
