import type { Operation, PersonOperation } from '../operation.js'
import { agentOperations } from './agent-operations.js'
import { agentRevisionOperations } from './agent-revision-operations.js'
import { agentTestOperations, agentTestRunOperations } from './agent-test-operations.js'
import { apiKeyOperations } from './api-key-operations.js'
import { approvalOperations } from './approval-operations.js'
import { auditLogOperations } from './audit-log-operations.js'
import { connectionOperations } from './connection-operations.js'
import { conversationOperations } from './conversation-operations.js'
import { conversationRetentionOperations } from './conversation-retention-operations.js'
import { endUserOperations } from './end-user-operations.js'
import { eventOperations } from './event-operations.js'
import { mcpAuthorizationOperations } from './mcp-authorization-operations.js'
import { mcpGrantOperations, ownMcpGrantOperations } from './mcp-grant-operations.js'
import { meOperations } from './me-operations.js'
import { invitedOperations, memberOperations } from './member-operations.js'
import { phoneOperations } from './phone-operations.js'
import { questionOperations } from './question-operations.js'
import { realtimeOperations } from './realtime-operations.js'
import { taskOperations } from './task-operations.js'
import { temporaryFileOperations } from './temporary-file-operations.js'
import { usageOperations } from './usage-operations.js'
import { webhookOperations } from './webhook-operations.js'

/** The operations that API keys can use. Documents and tests are generated from this list. */
export const operations = {
  ...agentOperations,
  ...agentRevisionOperations,
  ...agentTestOperations,
  ...agentTestRunOperations,
  ...connectionOperations,
  ...mcpAuthorizationOperations,
  ...taskOperations,
  ...questionOperations,
  ...realtimeOperations,
  ...phoneOperations,
  ...conversationOperations,
  ...conversationRetentionOperations,
  ...endUserOperations,
  ...approvalOperations,
  ...temporaryFileOperations,
  ...apiKeyOperations,
  ...memberOperations,
  ...mcpGrantOperations,
  ...webhookOperations,
  ...usageOperations,
  ...auditLogOperations,
  ...eventOperations,
}

/** The operations that only users can use. */
export const personOperations = { ...meOperations, ...invitedOperations, ...ownMcpGrantOperations }

export const allOperations: readonly Operation[] = Object.values(operations)

export const allPersonOperations: readonly PersonOperation[] = Object.values(personOperations)
