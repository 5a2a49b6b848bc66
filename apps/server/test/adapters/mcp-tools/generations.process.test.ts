import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import type { McpServerTarget } from '#server/ports/tool-executor.js'
import { invocationOf } from '../../support/tools/invocations.js'
import { eventually, targetAt, useMcp } from '../../support/tools/mcp-servers.js'
import { startStatelessMcpServer } from '../../support/tools/stateless-mcp-server.mjs'

const shared = useMcp(afterAll)
const signal = new AbortController().signal

const script = fileURLToPath(new URL('../../support/tools/stateless-mcp-server.mjs', import.meta.url))
const shop: McpServerTarget = { organizationId: 'one', url: null, name: 'shop', headers: {} }
const stdioServers = { shop: { command: process.execPath, args: [script], env: {} } }

const regionSchema = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
}

describe('an MCP server of the 2026 protocol [TOOL-28]', () => {
  test('is discovered, listed and called over HTTP without an initialize request', async () => {
    const methods: string[] = []
    const server = await startStatelessMcpServer({ methods })
    const executor = shared.executor()
    const target = targetAt(server.url)
    const listed = await executor.list(target, signal)
    const tools = listed.ok ? listed.tools : []
    expect(tools.map(({ name }) => name)).toEqual(['find', 'add', 'remove', 'route', 'fail', 'hang'])
    expect(tools.find(({ name }) => name === 'remove')?.hints).toMatchObject({
      readOnlyHint: null,
      destructiveHint: true,
    })
    expect(await executor.run(target, 'find', invocationOf({ value: 'Zimmer für zwei' }))).toEqual({
      ok: true,
      output: 'found Zimmer für zwei',
    })
    expect(await executor.run(target, 'fail', invocationOf())).toEqual({
      ok: false,
      output: 'It did not work.',
    })
    // Arguments that the server wants in headers are sent in headers too, whatever their values are.
    for (const region of ['eu-1', 'Übersee', ' ']) {
      const call = invocationOf({ region }, { parameters: regionSchema })
      expect(await executor.run(target, 'route', call)).toEqual({ ok: true, output: `to ${region}` })
    }
    // A client that stops waiting tells the server by disconnecting.
    await executor.run(target, 'hang', invocationOf({}, { timeoutMilliseconds: 100 }))
    await expect.poll(() => methods.at(-1), eventually).toBe('aborted')
    expect(methods.filter((method) => method === 'server/discover')).toHaveLength(1)
    expect(methods).not.toContain('POST')
    await server.close()
  })

  test('is called without an initialize request even if it supports one', async () => {
    const methods: string[] = []
    const server = await startStatelessMcpServer({ legacy: 'stateless', methods })
    const executor = shared.executor()
    const found = await executor.run(targetAt(server.url), 'find', invocationOf({ value: 'it' }))
    expect(found).toEqual({ ok: true, output: 'found it' })
    expect(methods).toEqual(['server/discover', 'tools/call'])
    await server.close()
  })

  test('gets an initialize request once if it is a process that rejects it', async () => {
    const executor = shared.executor({ stdioServers })
    expect(await executor.run(shop, 'find', invocationOf({ value: 'it' }))).toEqual({
      ok: true,
      output: 'found it',
    })
    expect(await executor.list(shop, signal)).toMatchObject({ ok: true })
  })
})
