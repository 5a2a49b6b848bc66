// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { HttpClient } from '../rest/http-client.js'
import { AgentRevisions } from './resources/agent-revisions.js'
import { Agents } from './resources/agents.js'
import { ApiKeys } from './resources/api-keys.js'
import { Approvals } from './resources/approvals.js'
import { AuditLog } from './resources/audit-log.js'
import { Budgets } from './resources/budgets.js'
import { Connections } from './resources/connections.js'
import { Conversations } from './resources/conversations.js'
import { Events } from './resources/events.js'
import { Invitations } from './resources/invitations.js'
import { McpAuthorizations } from './resources/mcp-authorizations.js'
import { McpGrants } from './resources/mcp-grants.js'
import { Me } from './resources/me.js'
import { Members } from './resources/members.js'
import { Prices } from './resources/prices.js'
import { Questions } from './resources/questions.js'
import { RealtimeSessions } from './resources/realtime-sessions.js'
import { Tasks } from './resources/tasks.js'
import { TemporaryFiles } from './resources/temporary-files.js'
import { Usages } from './resources/usages.js'
import { Webhooks } from './resources/webhooks.js'

/** Every call of the API, by what it is about. */
export class ResourceGroups {
  /** Agents: instructions, a model and tools. */
  readonly agents: Agents
  /** What agents were, change by change. */
  readonly agentRevisions: AgentRevisions
  /** Model providers and how to reach them. */
  readonly connections: Connections
  /** MCP servers that ask for OAuth, and who has consented. */
  readonly mcpAuthorizations: McpAuthorizations
  /** Asking agents in text. */
  readonly questions: Questions
  /** Work for people and agents. */
  readonly tasks: Tasks
  /** Voice and streaming sessions. */
  readonly realtimeSessions: RealtimeSessions
  /** What was said, spoken or typed. */
  readonly conversations: Conversations
  /** Tool calls that wait for a person. */
  readonly approvals: Approvals
  /** Files that questions are given as context, for a while. */
  readonly temporaryFiles: TemporaryFiles
  /** Keys of the organization. */
  readonly apiKeys: ApiKeys
  /** People who belong to the organization, and what they may do. */
  readonly members: Members
  /** Signing in, and what people do for themselves. */
  readonly me: Me
  /** MCP clients that act in the names of members. */
  readonly mcpGrants: McpGrants
  /** Links by which people come in. */
  readonly invitations: Invitations
  /** Addresses that are told what happens, and what was sent to them. */
  readonly webhooks: Webhooks
  /** What models were used for, and what it cost. */
  readonly usages: Usages
  /** What models cost. */
  readonly prices: Prices
  /** How much may be used in a day or a month. */
  readonly budgets: Budgets
  /** Who did what, in a chain that shows tampering. */
  readonly auditLog: AuditLog
  /** What changes in the organization, as it happens. */
  readonly events: Events

  constructor(http: HttpClient) {
    this.agents = new Agents(http)
    this.agentRevisions = new AgentRevisions(http)
    this.connections = new Connections(http)
    this.mcpAuthorizations = new McpAuthorizations(http)
    this.questions = new Questions(http)
    this.tasks = new Tasks(http)
    this.realtimeSessions = new RealtimeSessions(http)
    this.conversations = new Conversations(http)
    this.approvals = new Approvals(http)
    this.temporaryFiles = new TemporaryFiles(http)
    this.apiKeys = new ApiKeys(http)
    this.members = new Members(http)
    this.me = new Me(http)
    this.mcpGrants = new McpGrants(http)
    this.invitations = new Invitations(http)
    this.webhooks = new Webhooks(http)
    this.usages = new Usages(http)
    this.prices = new Prices(http)
    this.budgets = new Budgets(http)
    this.auditLog = new AuditLog(http)
    this.events = new Events(http)
  }
}
