// Part of `npm run generate`: writes the SDK's types and methods from the contract documents, and lists them in
// docs/reference/sdk.md. Copies code that the SDK shares with the engine, because SDK users install neither.
// With --check it writes nothing, and fails if the committed files differ.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sessionEventsText, turnEventsText } from './sdk/event-text.mjs'
import { groupName, resourceText } from './sdk/resource-text.mjs'
import { comment, declaration } from './sdk/type-text.mjs'

const top = new URL('../', import.meta.url)
const folder = new URL('packages/sdk/src/generated/', top)
const readDocument = async (name) =>
  JSON.parse(await readFile(new URL(`packages/contract/${name}`, top), 'utf8'))
const kebab = (name) => name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()

/** Maps names that the generated files use to the files that declare them. */
const written = {
  ApiPromise: ['type', 'rest/api-promise.js'],
  ChangeStream: ['value', 'rest/change-stream.js'],
  ChangeOptions: ['type', 'rest/request-options.js'],
  CreateOptions: ['type', 'rest/request-options.js'],
  DryRunOptions: ['type', 'rest/request-options.js'],
  FollowOptions: ['type', 'rest/request-options.js'],
  HttpClient: ['type', 'rest/http-client.js'],
  ListPromise: ['type', 'rest/list-promise.js'],
  Page: ['type', 'rest/page.js'],
  RequestOptions: ['type', 'rest/request-options.js'],
  segment: ['value', 'rest/request-url.js'],
  TurnStream: ['value', 'rest/turn-stream.js'],
  uploadFile: ['value', 'rest/upload-file.js'],
  UploadInput: ['type', 'rest/upload-file.js'],
  UploadOptions: ['type', 'rest/upload-file.js'],
}

const settingNames = ['AgentVariable', 'RealtimeFallback', 'EndUserLimits'].flatMap((name) => [
  name,
  `${name}Output`,
])

function buildSdk(openapi, asyncapi) {
  const { schemas } = openapi.components
  const tags = openapi.tags.map(({ name }) => ({ name, operations: operationsOf(openapi, name) }))
  const sessionEvents = sessionEventsText(asyncapi)
  const files = {
    'schemas/session-events.ts': sessionEvents,
    'schemas/turn-events.ts': turnEventsText(openapi, sessionEvents),
  }
  /** The file of each schema: that of the first tag whose operations use it. */
  const homes = { TurnEvent: 'schemas/turn-events.ts' }
  const declareAll = (names, path) => {
    const texts = []
    const needed = new Set()
    const queue = [...names]
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      if (written[name] !== undefined) needed.add(name)
      else if (homes[name] === undefined) {
        homes[name] = path
        texts.push(declaration(name, schemas[name], (seen) => queue.push(seen)))
      } else if (homes[name] !== path) needed.add(name)
    }
    if (texts.length > 0)
      files[path] = importsText(mentionedIn(needed, texts.join('\n')), homes) + texts.join('\n')
  }
  declareAll(['Problem'], 'schemas/problem.ts')
  // Agents are split into several files, because of their size.
  declareAll(['AgentTool', 'AgentToolInput'], 'schemas/agent-tool.ts')
  declareAll(
    settingNames.filter((name) => schemas[name]),
    'schemas/agent-settings.ts',
  )
  declareAll(['OfferedToolList', 'ToolTrialInput', 'ToolTrial'], 'schemas/tool-trial.ts')
  const groups = []
  for (const { name, operations } of tags) {
    const group = groupName(
      name,
      operations.map(({ operation }) => operation),
    )
    const needed = new Set()
    const text = resourceText(name, operations, (seen) => needed.add(seen))
    declareAll(
      [...needed].filter((seen) => written[seen] === undefined),
      `schemas/${kebab(name)}.ts`,
    )
    files[`resources/${kebab(group)}.ts`] = importsText(mentionedIn(needed, text), homes) + text
    const methods = [...text.matchAll(/^ {2}(?!constructor)(\w+)\(/gm)].map(([, method]) => method)
    groups.push({ group, methods, description: openapi.tags.find((tag) => tag.name === name).description })
  }
  files['index.ts'] = indexText(Object.keys(files))
  files['resource-groups.ts'] = groupsText(groups)
  return {
    files: Object.fromEntries(Object.entries(files).map(([path, text]) => [path, `${notice}${text}`])),
    groups,
  }
}

const notice = '// Generated from the contract by `npm run generate`. Do not edit.\n\n'

function operationsOf({ paths, components }, tag) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // Sockets and redirect addresses become no methods.
      .filter(([, { tags, responses }]) => tags[0] === tag && !responses[101] && !responses[302])
      .map(([method, operation]) => {
        const name = operation.requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1)
        const isBodyOptional = method === 'post' && name !== undefined && !components.schemas[name].required
        return { path, method, operation, isBodyOptional }
      }),
  )
}

const mentionedIn = (names, text) => [...names].filter((name) => new RegExp(`\\b${name}\\b`).test(text))

function importsText(names, homes) {
  const byFile = new Map()
  for (const name of [...names].sort()) {
    const [kind, path] = written[name] ?? ['type', `generated/${homes[name]}`]
    const key = `${path.replace(/\.ts$/, '.js')}`
    byFile.set(key, [...(byFile.get(key) ?? []), { name, kind }])
  }
  const lines = [...byFile]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([path, imported]) => {
      const isType = imported.every(({ kind }) => kind === 'type')
      const list = imported.map(({ name, kind }) => (kind === 'type' && !isType ? `type ${name}` : name))
      return `import ${isType ? 'type ' : ''}{ ${list.join(', ')} } from '${path.replace(/^(?:generated\/)?/, (own) => (own === '' ? '../../' : '../'))}'\n`
    })
  return lines.length > 0 ? `${lines.join('')}\n` : ''
}

const indexText = (paths) =>
  paths
    .map((path) => `export type * from './${path.replace(/\.ts$/, '.js')}'\n`)
    .sort()
    .join('')

function groupsText(groups) {
  const className = (group) => group[0].toUpperCase() + group.slice(1)
  return `import type { HttpClient } from '../rest/http-client.js'
${groups
  .map(({ group }) => `import { ${className(group)} } from './resources/${kebab(group)}.js'\n`)
  .sort()
  .join('')}
/** Every call of the API, by what it is about. */
export class ResourceGroups {
${groups.map(({ group, description }) => `${comment(firstSentence(description), '  ')}  readonly ${group}: ${className(group)}\n`).join('')}
  constructor(http: HttpClient) {
${groups.map(({ group }) => `    this.${group} = new ${className(group)}(http)\n`).join('')}  }
}
`
}

const firstSentence = (text) => `${text.split(/\.\s/, 1)[0].replace(/\.$/, '')}.`

/** The page with its list of groups and methods replaced. */
function listGroups(page, groups) {
  const rows = groups.map(
    ({ group, methods, description }) =>
      `| \`${group}\` | ${firstSentence(description).replace(/\.$/, '')} | ${methods.map((name) => `\`${name}\``).join(' ')} |`,
  )
  const table = ['| group | about | methods |', '|---|---|---|', ...rows].join('\n')
  return page.replace(/(?<=<!-- npm run generate writes this list -->\n)(?:\|.*\n)*/, () => `${table}\n`)
}

const shared = 'packages/engine/src/audio/sinc-filter.ts'
const sdk = buildSdk(await readDocument('openapi.json'), await readDocument('asyncapi.json'))
const pagePath = new URL('docs/reference/sdk.md', top)
const writtenPage = await readFile(pagePath, 'utf8')
const page = listGroups(writtenPage, sdk.groups)
const files = {
  ...sdk.files,
  'sinc-filter.ts': `// Copied from ${shared} by \`npm run generate\`. Do not edit.\n\n${await readFile(new URL(shared, top), 'utf8')}`,
}
if (process.argv.includes('--check')) {
  const isSame = async ([path, text]) =>
    (await readFile(new URL(path, folder), 'utf8').catch(() => undefined)) === text
  const stale = page === writtenPage ? [] : ['docs/reference/sdk.md']
  for (const file of Object.entries(files)) if (!(await isSame(file))) stale.push(file[0])
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const count = found.filter((entry) => entry.isFile()).length
  if (stale.length > 0 || count !== Object.keys(files).length) {
    console.error(`The SDK does not match the contract. Run npm run generate. Outdated: ${stale.join(', ')}`)
    process.exitCode = 1
  }
} else {
  await writeFile(pagePath, page)
  await rm(folder, { recursive: true, force: true })
  for (const [path, text] of Object.entries(files)) {
    const target = new URL(path, folder)
    await mkdir(dirname(target.pathname), { recursive: true })
    await writeFile(target, text)
  }
}
