import { describe, expect, test } from 'vitest'
import { startListingServer } from '../../support/tools/listing-server.js'
import { targetAt, useMcp } from '../../support/tools/mcp-servers.js'

const fixture = useMcp()
const tool = (index: number, fields: object = {}) => ({
  name: `tool_${index}`,
  description: 'Does something.',
  inputSchema: { type: 'object' },
  ...fields,
})
const tools = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, index) => tool(index, fields))

async function list(page: (cursor: number) => { tools: readonly object[]; nextCursor?: string }) {
  const server = await startListingServer(page)
  const listing = await fixture
    .executor()
    .list(targetAt(`http://127.0.0.1:${server.port}/mcp`), new AbortController().signal)
  return { listing, pagesRead: server.pagesRead }
}

async function listed(page: Parameters<typeof list>[0]) {
  const { listing, pagesRead } = await list(page)
  if (!listing.ok) throw new Error(listing.detail)
  return { tools: listing.tools, pagesRead: pagesRead() }
}

describe('the tool list of an MCP server [BND-3]', () => {
  test('is limited to 500 tools', async () => {
    const { tools: taken } = await listed(() => ({ tools: tools(10_000) }))
    expect(taken.map(({ name }) => name)).toEqual(tools(500).map(({ name }) => name))
  })

  test('needs no further pages once it has 500 tools', async () => {
    const { tools: taken, pagesRead } = await listed((cursor) => ({
      tools: [0, 1, 2].map((index) => tool(cursor * 100 + index)).concat(tools(197)),
      nextCursor: String(cursor + 1),
    }))
    expect(taken).toHaveLength(500)
    expect(pagesRead).toBe(3)
  })

  test('is limited to one mebibyte', async () => {
    const description = 'x'.repeat(8000)
    const { tools: taken } = await listed((cursor) => ({
      tools: tools(100, { description }),
      nextCursor: String(cursor + 1),
    }))
    expect(taken.length).toBeGreaterThan(100)
    expect(JSON.stringify(taken).length).toBeLessThan(1024 * 1024)
  })

  test.each<[string, object]>([
    ['a schema without end', { inputSchema: { type: 'object', description: 'x'.repeat(70_000) } }],
    ['a name without end', { name: 'x'.repeat(1000) }],
  ])('omits a tool with %s', async (_, fields) => {
    const { tools: taken } = await listed(() => ({ tools: [tool(0, fields), tool(1)] }))
    expect(taken.map(({ name }) => name)).toEqual(['tool_1'])
  })

  test('cuts a very long description', async () => {
    const description = 'x'.repeat(100_000)
    const { tools: taken } = await listed(() => ({ tools: [tool(0, { description })] }))
    expect(taken[0]?.description).toHaveLength(8192)
  })

  test('fails without being read to its end if one page exceeds 2 MiB', async () => {
    const { listing } = await list(() => ({ tools: tools(30_000) }))
    expect(listing).toMatchObject({ ok: false })
  })
})
