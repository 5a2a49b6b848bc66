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
  /** Revisions of agents. */
  readonly agentRevisions: AgentRevisions
  /** Connections to model providers. */
  readonly connections: Connections
  /** MCP servers that require OAuth, and the consent to use them. */
  readonly mcpAuthorizations: McpAuthorizations
  /** Questions to agents in text. */
  readonly questions: Questions
  /** Work for people and agents. */
  readonly tasks: Tasks
  /** Voice and streaming sessions. */
  readonly realtimeSessions: RealtimeSessions
  /** Conversations, spoken or typed. */
  readonly conversations: Conversations
  /** Tool calls that wait for approval. */
  readonly approvals: Approvals
  /** Files that give questions context, for a limited time. */
  readonly temporaryFiles: TemporaryFiles
  /** API keys of the organization. */
  readonly apiKeys: ApiKeys
  /** People of the organization, and their roles. */
  readonly members: Members
  /** Signing in, and settings of the signed-in person. */
  readonly me: Me
  /** MCP clients that act on behalf of members. */
  readonly mcpGrants: McpGrants
  /** Invitation links. */
  readonly invitations: Invitations
  /** Endpoints that receive events, and their deliveries. */
  readonly webhooks: Webhooks
  /** Usage of models, and its cost. */
  readonly usages: Usages
  /** Prices of models. */
  readonly prices: Prices
  /** Limits on usage per day or month. */
  readonly budgets: Budgets
  /** Who did what, in a chain that reveals tampering. */
  readonly auditLog: AuditLog
  /** Changes in the organization, as they happen. */
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
