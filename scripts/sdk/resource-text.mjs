// Generates a class for each tag: one method per operation, with types and comments from the contract.
import { comment, pascal, typeText } from './type-text.mjs'

const camel = (name) => name[0].toLowerCase() + name.slice(1)

/** Resources that exist once per caller. */
const singular = ['Me']

/** `parley.agents` for `Agent`. A tag that is its own collection name gets no plural. */
export const groupName = (tag, operations) => {
  const isListed = operations.some(({ operationId }) => operationId === `list${tag}`)
  return camel(isListed || singular.includes(tag) ? tag : `${tag}s`)
}

/** `create` for `createAgent`: leaves out the group's name. */
function methodName({ operationId, tags: [tag], path }) {
  const [, resource] = /^\/api\/v1\/(\w+)/.exec(path)
  for (const name of [`${tag}s`, tag, resource]) {
    const short = operationId.replace(new RegExp(`${name}(?![a-z])`), '')
    if (short !== operationId) return short
  }
  return operationId
}

/** The class, and the types that its methods need in addition to the schemas. */
export function resourceText(tag, operations, see) {
  const name = pascal(
    groupName(
      tag,
      operations.map(({ operation }) => operation),
    ),
  )
  const queries = operations.map((entry) => queryText(entry, see)).filter(Boolean)
  const methods = operations.flatMap((entry) => methodTexts(entry, see))
  see('HttpClient')
  return `${queries.join('\n')}${queries.length > 0 ? '\n' : ''}export class ${name} {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

${methods.join('\n')}}
`
}

/** For calls with a dry run, this is an option like the headers. */
const dryRun = 'DryRun'

const parametersOf = ({ parameters = [] }, place) =>
  parameters.filter((parameter) => parameter.in === place && parameter.name !== dryRun)
const canBeTried = ({ parameters = [] }) => parameters.some(({ name }) => name === dryRun)
const queryName = ({ operationId }) => `${pascal(operationId)}Query`

function queryText({ operation }, see) {
  const query = parametersOf(operation, 'query')
  if (query.length === 0) return undefined
  const fields = query.map(({ name, schema, description }) => {
    const fallback = schema.default === undefined ? '' : ` Default: \`${JSON.stringify(schema.default)}\`.`
    return `${comment(`${description}${fallback}`, '  ')}  ${name}?: ${typeText(schema, see)} | undefined\n`
  })
  const metadata = operation['x-filters-metadata']
    ? `  /** A value that the metadata must have. At most 5. */\n  [filter: \`Metadata.\${string}\`]: string | undefined\n`
    : ''
  return `export interface ${queryName(operation)} {\n${fields.join('')}${metadata}}\n`
}

function methodTexts({ method, path, operation, isBodyOptional }, see) {
  const name = methodName({ ...operation, path })
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]
  const content = success.content ?? {}
  const isForm = operation.requestBody?.content['multipart/form-data'] !== undefined
  const call = describeCall({ method, path, operation, isForm, isBodyOptional }, see)
  const events = content['text/event-stream']?.schema
  const isStream = events !== undefined
  const json = content['application/json']?.schema
  if (isForm) return [methodText(operation, name, call, uploadCall(json, see))]
  const texts = []
  if (json?.$ref !== undefined) texts.push(methodText(operation, name, call, jsonCall(json, operation, see)))
  else if (!isStream) texts.push(methodText(operation, name, call, plainCall(content, see)))
  if (isStream) texts.push(methodText(operation, json ? 'stream' : name, call, streamCall(events, json, see)))
  return texts
}

/** The shared part of all methods: arguments and request. */
function describeCall({ method, path, operation, isForm, isBodyOptional }, see) {
  const params = parametersOf(operation, 'path').map(({ name, schema }) => ({
    name,
    type: typeText(schema, see),
  }))
  const headers = parametersOf(operation, 'header').map((parameter) => parameter.name)
  const bodySchema = operation.requestBody?.content['application/json']?.schema
  const hasQuery = parametersOf(operation, 'query').length > 0
  const numbers = params.filter(({ type }) => type === 'number').map(({ name }) => name)
  const asText = (param) => (numbers.includes(param) ? `String(${param})` : param)
  const template = path.replaceAll(
    /\{(\w+)\}/g,
    (_match, param) => `\${segment('${param}', ${asText(param)})}`,
  )
  if (params.length > 0) see('segment')
  const request = [
    `method: '${method.toUpperCase()}'`,
    `path: ${params.length > 0 ? `\`${template}\`` : `'${path}'`}`,
    ...(hasQuery ? ['query'] : []),
    ...(bodySchema ? ['body'] : []),
    ...(headers.includes('Idempotency-Key') ? ['takesIdempotencyKey: true'] : []),
  ]
  const bodyType = bodySchema && typeText(bodySchema, see)
  return {
    args: [
      ...params.map(({ name, type }) => `${name}: ${type}`),
      ...(isForm ? [] : bodySchema ? [`body: ${bodyType}${isBodyOptional ? ' = {}' : ''}`] : []),
      ...(hasQuery ? [`query: ${queryName(operation)} = {}`] : []),
    ],
    request: `{ ${request.join(', ')} }`,
    options: isForm ? 'UploadOptions' : optionsType(operation, headers, see),
  }
}

function optionsType(operation, headers, see) {
  const type = optionsName(headers)
  see(type)
  if (!canBeTried(operation)) return type
  see('DryRunOptions')
  return `${type} & DryRunOptions`
}

function optionsName(headers) {
  if (headers.includes('Idempotency-Key')) return 'CreateOptions'
  if (headers.includes('If-Match')) return 'ChangeOptions'
  return headers.includes('Last-Event-ID') ? 'FollowOptions' : 'RequestOptions'
}

function jsonCall(schema, { responses }, see) {
  const type = typeText(schema, see)
  if (/Page$/.test(type)) {
    see('ListPromise')
    const item = type.replace(/Page$/, '')
    see(item)
    return { type: `ListPromise<${item}>`, code: (request) => `this.#http.list(${request}, options)` }
  }
  see('ApiPromise')
  const isLong = responses[202] !== undefined
  return {
    type: `ApiPromise<${type}>`,
    code: (request) =>
      `this.#http.json(${isLong ? request.replace(/ }$/, ', isLong: true }') : request}, options)`,
  }
}

function plainCall(content, see) {
  see('ApiPromise')
  if (Object.keys(content).length === 0)
    return { type: 'ApiPromise<void>', code: (request) => `this.#http.json(${request}, options)` }
  return { type: 'ApiPromise<Response>', code: (request) => `this.#http.raw(${request}, options)` }
}

function streamCall({ $ref }, isAlternative, see) {
  const type = $ref.endsWith('/LiveEvent') ? 'ChangeStream' : 'TurnStream'
  see(type)
  see($ref.split('/').at(-1))
  const resumption =
    type === 'ChangeStream'
      ? 'resumes after a broken connection until you stop reading.'
      : 'resumes after a broken connection, without loss or duplicates.'
  const note = isAlternative
    ? `Returns the same as a stream of events. It ${resumption}`
    : `The stream ${resumption}`
  return { type, note, code: (request) => `new ${type}(this.#http, ${request}, options)` }
}

function uploadCall(schema, see) {
  for (const name of ['ApiPromise', 'uploadFile', 'UploadInput', 'UploadOptions']) see(name)
  return {
    type: `ApiPromise<${typeText(schema, see)}>`,
    args: ['file: UploadInput'],
    code: (request) => `uploadFile(this.#http, ${request}, file, options)`,
  }
}

function methodText({ summary, description, responses }, name, call, { type, code, note, args }) {
  const outcome = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].description
  const text = [`${summary}.`, note, description, `@returns ${outcome}`].filter(Boolean).join('\n\n')
  const list = [...call.args, ...(args ?? []), `options: ${call.options} = {}`].join(', ')
  const oneLine = `  ${name}(${list}): ${type} {`
  const head =
    oneLine.length <= 110 ? oneLine : `  ${name}(\n    ${list.replaceAll(', ', ',\n    ')},\n  ): ${type} {`
  return `${comment(text, '  ')}${head}\n    return ${code(call.request)}\n  }\n`
}
