import { describe, expect, test } from 'vitest'
import { buildToolCatalog } from '#server/domain/tools/catalog/tool-catalog.js'
import type { McpTool } from '#server/ports/tool-executor.js'

const server: McpTool = {
  kind: 'mcp',
  name: 'shop',
  title: null,
  description: null,
  imageUrl: null,
  approvalRequired: false,
  approvedBy: 'either',
  timeoutSeconds: 30,
  button: null,
  allowedTools: null,
  destructiveApprovalRequired: false,
  server: { url: 'https://mcp.example.com', name: null, headerNames: [] },
}

const listed = (name: string) => ({ name, description: name, parameters: { type: 'object' } })
const catalogOf = (names: readonly string[]) =>
  buildToolCatalog({ tools: [server], subAgentIds: [] }, [], new Map([['shop', names.map(listed)]]))

describe('the tool catalog of an agent [BND-3]', () => {
  test('contains the first of two tools with the same name', () => {
    const [first = '', second = ''] = catalogOf(['a', 'b']).map(({ name }) => name)
    expect(catalogOf(['a', 'b', 'a']).map(({ name }) => name)).toEqual([first, second])
  })
})

test.each([
  [undefined, true],
  [{ readOnlyHint: null, destructiveHint: null }, true],
  [{ readOnlyHint: null, destructiveHint: true }, true],
  [{ readOnlyHint: false, destructiveHint: null }, true],
  [{ readOnlyHint: false, destructiveHint: false }, false],
  [{ readOnlyHint: true, destructiveHint: null }, false],
])('derives from the annotations %j whether the tool is destructive: %s [TOOL-29]', (said, isAsked) => {
  const hints = said && { ...said, idempotentHint: null, openWorldHint: null }
  const tool = { name: 'a', description: '', parameters: {}, hints, isReadOnly: said?.readOnlyHint === true }
  const approvals = (changes: Partial<McpTool>) =>
    buildToolCatalog(
      { tools: [{ ...server, ...changes }], subAgentIds: [] },
      [],
      new Map([[server.name, [tool]]]),
    ).map(({ approvalRequired }) => approvalRequired)
  expect(approvals({ destructiveApprovalRequired: true })).toEqual([isAsked])
  expect(approvals({ destructiveApprovalRequired: false })).toEqual([false])
  expect(approvals({ approvalRequired: true })).toEqual([true])
})
