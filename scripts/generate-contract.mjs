// `npm run generate`: writes the contract documents and the error reference from code, and the SDK's types and methods from them. Tests fail if the
// committed files differ.
// `npm run generate -- --release` also makes it the baseline for later compatibility checks.
import { readFile, writeFile } from 'node:fs/promises'
import { buildAgentTestsFileSchema } from '../packages/contract/dist/agent-tests-file.js'
import { buildAgentsFileSchema } from '../packages/contract/dist/agents-file.js'
import { buildAsyncApi } from '../packages/contract/dist/asyncapi.js'
import { buildErrorReference } from '../packages/contract/dist/error-reference.js'
import { buildOpenApi } from '../packages/contract/dist/openapi.js'

const contract = new URL('../packages/contract/', import.meta.url)
const { version } = JSON.parse(await readFile(new URL('package.json', contract), 'utf8'))
const documents = { 'openapi.json': buildOpenApi(version), 'asyncapi.json': buildAsyncApi(version) }
await write('agents-file.schema.json', buildAgentsFileSchema())
await write('agent-tests-file.schema.json', buildAgentTestsFileSchema())
await writeFile(new URL('../docs/reference/errors.md', import.meta.url), buildErrorReference())
const folders = process.argv.includes('--release') ? ['', 'released/'] : ['']
for (const [name, document] of Object.entries(documents))
  for (const folder of folders) await write(`${folder}${name}`, document)

async function write(name, document) {
  await writeFile(new URL(name, contract), `${JSON.stringify(document, null, 1)}\n`)
}

await import('./generate-sdk.mjs')
