// Bundles what a page loads without a bundler of its own, each in one file below dist/browser. Prints their sizes, gzipped.
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

for (const name of ['realtime', 'element']) {
  const bundle = await rolldown({ input: { [name]: at(`dist/${name}/index.js`) }, platform: 'browser' })
  const { output } = await bundle.write({
    dir: at('dist/browser'),
    format: 'esm',
    minify: true,
    comments: false,
  })
  const [{ fileName, code }] = output
  process.stdout.write(`${fileName} ${gzipSync(code, { level: 9 }).length}\n`)
}
