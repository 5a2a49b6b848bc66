import type { CheckGroup } from './check.js'
import { accessChecks } from './checks/access.js'
import { agentChecks } from './checks/agents.js'
import { auditChecks } from './checks/audit.js'
import { conversationChecks } from './checks/conversations.js'
import { fileChecks } from './checks/files.js'
import { healthChecks } from './checks/health.js'
import { proxyChecks } from './checks/proxy.js'
import { questionChecks } from './checks/questions.js'
import { realtimeEndChecks } from './checks/realtime-ends.js'
import { realtimeOpeningChecks } from './checks/realtime-opening.js'
import { realtimeTalkChecks } from './checks/realtime-talk.js'
import { taskChecks } from './checks/tasks.js'

/** All checks in order: the checks that others depend on come first. */
export const checkTable: readonly CheckGroup[] = [
  { name: 'health', checks: healthChecks },
  { name: 'access', checks: accessChecks },
  { name: 'agents', checks: agentChecks },
  { name: 'tasks', checks: taskChecks },
  { name: 'files', checks: fileChecks },
  { name: 'questions', checks: questionChecks },
  { name: 'conversations', checks: conversationChecks },
  { name: 'realtime', checks: [...realtimeOpeningChecks, ...realtimeTalkChecks, ...realtimeEndChecks] },
  { name: 'proxy', checks: proxyChecks },
  { name: 'audit', checks: auditChecks },
]
