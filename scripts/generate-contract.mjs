// `npm run generate`: writes down the contract that the code builds. A test fails while the committed one differs.
import { readFile, writeFile } from 'node:fs/promises'
import { buildOpenApi } from '../contract/dist/openapi.js'

const contract = new URL('../contract/', import.meta.url)
const { version } = JSON.parse(await readFile(new URL('package.json', contract), 'utf8'))
await writeFile(new URL('openapi.json', contract), `${JSON.stringify(buildOpenApi(version), null, 1)}\n`)
