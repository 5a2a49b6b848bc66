import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Parley } from '@parley/sdk'
import { generate } from 'openapi-typescript-codegen'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: { readonly type?: string; readonly enum?: readonly string[] }
}

interface DocumentedOperation {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<Record<string, unknown>>
}

interface Received {
  readonly method: string | undefined
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

type Call = (...args: readonly unknown[]) => PromiseLike<unknown> | AsyncIterable<unknown>

const contract = new URL('../../contract/openapi.json', import.meta.url)
const { paths } = JSON.parse(readFileSync(contract, 'utf8')) as {
  paths: Record<string, Record<string, DocumentedOperation>>
}
/** All operations except the socket, which HTTP clients cannot open, and redirects for browsers. */
const operations = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .filter(({ responses }) => responses[101] === undefined && responses[302] === undefined)

const received: Received[] = []
const server = createServer(async (incoming, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const url = new URL(incoming.url ?? '', 'http://localhost')
  received.push({
    method: incoming.method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: comparable(incoming.headers),
    body: await bodyText(Buffer.concat(chunks), incoming.headers['content-type']),
  })
  response.setHeader('content-type', 'application/json')
  response.end('{}')
})

/** The headers that the contract describes. */
function comparable(headers: IncomingHttpHeaders) {
  const names = ['x-api-key', 'x-org-id', 'idempotency-key', 'if-match', 'last-event-id']
  return {
    ...Object.fromEntries(names.map((name) => [name, headers[name]?.toString()])),
    contentType: headers['content-type']?.split(';', 1)[0],
  }
}

/** Forms can be encoded in several ways, so only their contents are compared. */
async function bodyText(body: Buffer, contentType = ''): Promise<string> {
  if (!contentType.startsWith('multipart/')) return body.toString()
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': contentType },
  }).formData()
  const parts = [...form].map(async ([name, value]) => [
    name,
    typeof value === 'string' ? value : await value.text(),
  ])
  return JSON.stringify(await Promise.all(parts))
}

const sampleOf = ({ name, schema }: Parameter) =>
  schema.enum?.[0] ?? (schema.type === 'integer' ? 7 : schema.type === 'boolean' ? true : `a/b ${name}?`)

const credentials = { organizationId: 'the-organization', apiKey: 'the-key' }
const cache = fileURLToPath(new URL('../../../.cache/', import.meta.url))
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(`${cache}third-party-`)
/** The generated functions by operationId. */
const theirs = new Map<string, (input: object) => PromiseLike<unknown>>()
let parley: Parley

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  parley = new Parley({ baseUrl, ...credentials, maxRetries: 0 })
  await generate({
    input: fileURLToPath(contract),
    output: folder,
    httpClient: 'fetch',
    useOptions: true,
    exportModels: false,
  })
  const { OpenAPI } = await import(`${folder}/core/OpenAPI.ts`)
  Object.assign(OpenAPI, {
    BASE: baseUrl,
    ENCODE_PATH: encodeURIComponent,
    HEADERS: { 'X-Org-Id': credentials.organizationId, 'X-Api-Key': credentials.apiKey },
  })
  for (const file of readdirSync(`${folder}/services`))
    for (const Service of Object.values(await import(`${folder}/services/${file}`)) as object[])
      for (const name of Object.getOwnPropertyNames(Service))
        theirs.set(name, (input) => Reflect.apply(Reflect.get(Service, name), Service, [input]))
})

afterAll(() => {
  rmSync(folder, { recursive: true })
  server.closeAllConnections()
  server.close()
})

/** Returns the request that a call sends, or null if the call rejects its arguments. */
async function sentBy(call: () => ReturnType<Call>): Promise<Received | null> {
  received.length = 0
  try {
    const result = call()
    if (Symbol.asyncIterator in result && !('then' in result)) for await (const _ of result);
    else await result
  } catch {
    // The response is only a stub, so reading it may fail.
  }
  return received[0] ?? null
}

/** The header and flag names among this package's options. */
const optionNames: Readonly<Record<string, string>> = {
  'Idempotency-Key': 'idempotencyKey',
  'If-Match': 'ifMatch',
  'Last-Event-ID': 'lastEventId',
  DryRun: 'dryRun',
}

function inputsOf({ parameters = [], requestBody, operationId }: DocumentedOperation) {
  const place = (wanted: Parameter['in']) => parameters.filter((parameter) => parameter.in === wanted)
  const valued = (list: readonly Parameter[]) =>
    Object.fromEntries(list.map((one) => [one.name, sampleOf(one)]))
  const isForm = requestBody?.content['multipart/form-data'] !== undefined
  const isOption = ({ name }: Parameter) => name in optionNames
  const asked = place('query').filter((one) => !isOption(one))
  const options = Object.fromEntries(
    [...place('header'), ...place('query')]
      .filter(isOption)
      .map((one) => [optionNames[one.name] ?? '', one.name === 'DryRun' ? true : sampleOf(one)]),
  )
  const body = requestBody && !isForm ? { sample: operationId } : undefined
  const ours = [
    ...place('path').map(sampleOf),
    ...(isForm ? [{ name: 'blob', contents: 'The roof is new.' }] : []),
    ...(body ? [body] : []),
    ...(asked.length > 0 ? [valued(asked)] : []),
    options,
  ]
  const camel = (name: string) =>
    name[0]?.toLowerCase() + name.slice(1).replaceAll('-', '').replace('ID', 'Id')
  const renamed = parameters.map((one) => [camel(one.name), sampleOf(one)])
  const form = isForm ? { formData: { file: new Blob(['The roof is new.']) } } : {}
  return { ours, theirs: { ...Object.fromEntries(renamed), ...(body && { requestBody: body }), ...form } }
}

const groups = () => Object.values(parley) as object[]
const methodsOf = (group: object) =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(group)).filter((name) => name !== 'constructor')

/** Returns the methods of this package that send the same request for the operation's arguments. */
async function sameCalls(operation: DocumentedOperation, wanted: Received): Promise<string[]> {
  const { ours } = inputsOf(operation)
  const found: string[] = []
  for (const group of groups().filter((one) => one.constructor.name.startsWith(operation.tags[0])))
    for (const name of methodsOf(group)) {
      const sent = await sentBy(() => Reflect.apply(Reflect.get(group, name), group, ours))
      if (JSON.stringify(sent) === JSON.stringify(wanted)) found.push(`${group.constructor.name}.${name}`)
    }
  return found
}

describe('This package and a generated third-party client', () => {
  const covered = new Set<string>()

  test.each(operations.map((operation) => [operation.operationId, operation] as const))(
    'both clients send the same request for %s [SDK-1]',
    async (operationId, operation) => {
      const wanted = await sentBy(
        () => theirs.get(operationId)?.(inputsOf(operation).theirs) ?? Promise.resolve(),
      )
      expect(wanted).not.toBeNull()
      const found = wanted === null ? [] : await sameCalls(operation, wanted)
      expect(found).toHaveLength(operationId === 'askAgent' ? 2 : 1)
      for (const name of found) covered.add(name)
    },
  )

  test('both clients have the same operations [SDK-1]', () => {
    const all = groups().flatMap((group) =>
      methodsOf(group).map((name) => `${group.constructor.name}.${name}`),
    )
    expect([...covered].sort()).toEqual(all.sort())
    expect(operations.length).toBeGreaterThan(40)
  })
})
