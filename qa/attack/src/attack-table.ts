import { approvalsOfNothing } from './attacks/approvals-of-nothing.js'
import { badKeys } from './attacks/bad-keys.js'
import { badTokens } from './attacks/bad-tokens.js'
import { frameFlood } from './attacks/frame-flood.js'
import { heavyLists } from './attacks/heavy-lists.js'
import { hugeHeaders } from './attacks/huge-headers.js'
import { longAnswers } from './attacks/long-answers.js'
import { manySecrets } from './attacks/many-secrets.js'
import { markdown } from './attacks/markdown.js'
import { mcpListing } from './attacks/mcp-listing.js'
import { nestedJson } from './attacks/nested-json.js'
import { nothing } from './attacks/nothing.js'
import { providerFlood } from './attacks/provider-flood.js'
import { sessionFlood } from './attacks/session-flood.js'
import { slowDocuments } from './attacks/slow-documents.js'
import { slowRequests } from './attacks/slow-requests.js'
import { subAgentFlood } from './attacks/sub-agents.js'
import { toolAnswers } from './attacks/tool-answers.js'
import { toolSchemas } from './attacks/tool-schemas.js'
import { turnFlood } from './attacks/turn-flood.js'
import { typedWords } from './attacks/typed-words.js'
import { unreadAnswers } from './attacks/unread-answers.js'
import { unreadPings } from './attacks/unread-pings.js'
import type { Attack } from './stage.js'

/** All attacks. To add one, add a file next to the others and a line here. */
export const attacks: readonly Attack[] = [
  nothing,
  // Without an API key.
  badKeys,
  badTokens,
  slowRequests,
  hugeHeaders,
  // With an API key, over HTTP.
  nestedJson,
  heavyLists,
  unreadAnswers,
  markdown,
  slowDocuments,
  // As the client of a session.
  typedWords,
  unreadPings,
  approvalsOfNothing,
  frameFlood,
  sessionFlood,
  // As an endpoint that the service calls: a tool, an MCP server, a model, a provider.
  toolAnswers,
  manySecrets,
  toolSchemas,
  mcpListing,
  longAnswers,
  turnFlood,
  subAgentFlood,
  providerFlood,
]
