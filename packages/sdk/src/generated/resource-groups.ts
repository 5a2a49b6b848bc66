// Generated from the contract by `npm run generate`. Do not edit.

import type { HttpClient } from '../rest/http-client.js'
import { AgentRevisions } from './resources/agent-revisions.js'
import { AgentTestRuns } from './resources/agent-test-runs.js'
import { AgentTests } from './resources/agent-tests.js'
import { Agents } from './resources/agents.js'
import { ApiKeys } from './resources/api-keys.js'
import { Approvals } from './resources/approvals.js'
import { AuditLog } from './resources/audit-log.js'
import { Budgets } from './resources/budgets.js'
import { Connections } from './resources/connections.js'
import { ConversationRetentions } from './resources/conversation-retentions.js'
import { Conversations } from './resources/conversations.js'
import { EndUsers } from './resources/end-users.js'
import { Events } from './resources/events.js'
import { Invitations } from './resources/invitations.js'
import { McpAuthorizations } from './resources/mcp-authorizations.js'
import { McpGrants } from './resources/mcp-grants.js'
import { Me } from './resources/me.js'
import { Members } from './resources/members.js'
import { PhoneCalls } from './resources/phone-calls.js'
import { PhoneConnections } from './resources/phone-connections.js'
import { PhoneNumbers } from './resources/phone-numbers.js'
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
  /** Tests of agents. */
  readonly agentTests: AgentTests
  /** Runs of tests, and their results. */
  readonly agentTestRuns: AgentTestRuns
  /** Connections to model providers. */
  readonly connections: Connections
  /** Authorizations to use MCP servers that require OAuth. */
  readonly mcpAuthorizations: McpAuthorizations
  /** Text questions to agents. */
  readonly questions: Questions
  /** Tasks for users and agents. */
  readonly tasks: Tasks
  /** Voice and streaming sessions. */
  readonly realtimeSessions: RealtimeSessions
  /** Accounts at telephone providers. */
  readonly phoneConnections: PhoneConnections
  /** Telephone numbers, and the agents that answer them. */
  readonly phoneNumbers: PhoneNumbers
  /** Incoming and outgoing telephone calls. */
  readonly phoneCalls: PhoneCalls
  /** Text and voice conversations. */
  readonly conversations: Conversations
  /** How long conversations are kept. */
  readonly conversationRetentions: ConversationRetentions
  /** The people who talk to your agents. */
  readonly endUsers: EndUsers
  /** Approvals of tool calls. */
  readonly approvals: Approvals
  /** Files that can be attached to questions as context. */
  readonly temporaryFiles: TemporaryFiles
  /** API keys of the organization. */
  readonly apiKeys: ApiKeys
  /** Members of the organization and their roles. */
  readonly members: Members
  /** Sign-in, and the account of the signed-in user. */
  readonly me: Me
  /** MCP clients that act on behalf of members. */
  readonly mcpGrants: McpGrants
  /** Invitations to join the organization. */
  readonly invitations: Invitations
  /** Webhooks that receive events, and their deliveries. */
  readonly webhooks: Webhooks
  /** Usage and cost of models. */
  readonly usages: Usages
  /** Prices of models. */
  readonly prices: Prices
  /** Daily and monthly usage limits. */
  readonly budgets: Budgets
  /** Audit records, in a hash chain that reveals tampering. */
  readonly auditLog: AuditLog
  /** A live stream of changes in the organization. */
  readonly events: Events

  constructor(http: HttpClient) {
    this.agents = new Agents(http)
    this.agentRevisions = new AgentRevisions(http)
    this.agentTests = new AgentTests(http)
    this.agentTestRuns = new AgentTestRuns(http)
    this.connections = new Connections(http)
    this.mcpAuthorizations = new McpAuthorizations(http)
    this.questions = new Questions(http)
    this.tasks = new Tasks(http)
    this.realtimeSessions = new RealtimeSessions(http)
    this.phoneConnections = new PhoneConnections(http)
    this.phoneNumbers = new PhoneNumbers(http)
    this.phoneCalls = new PhoneCalls(http)
    this.conversations = new Conversations(http)
    this.conversationRetentions = new ConversationRetentions(http)
    this.endUsers = new EndUsers(http)
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
