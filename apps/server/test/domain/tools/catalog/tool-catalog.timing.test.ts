import { test } from 'vitest'
import { buildToolCatalog } from '#server/domain/tools/catalog/tool-catalog.js'
import type { McpTool } from '#server/ports/tool-executor.js'
import { expectLinear } from '../../../support/growth.js'

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

test("building an agent's catalog takes time in proportion to the tools that a server lists [BND-3]", async () => {
  await expectLinear(
    (factor) =>
      Array.from({ length: 1000 * factor }, (_, index) => ({
        name: `tool${index}`,
        description: `tool${index}`,
        parameters: { type: 'object' },
      })),
    (listed) => buildToolCatalog({ tools: [server], subAgentIds: [] }, [], new Map([['shop', listed]])),
  )
})
