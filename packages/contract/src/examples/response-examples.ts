import type { z } from 'zod'
import { Agent, AgentPage } from '../agent.js'
import { AgentRevision, AgentRevisionPage } from '../agent-revision.js'
import { AgentTest, AgentTestPage } from '../agent-test.js'
import { AgentTestRun, AgentTestRunPage } from '../agent-test-run.js'
import { ApiKey, ApiKeyPage, CreatedApiKey } from '../api-key.js'
import { Approval, ApprovalPage } from '../approval.js'
import { AuditLogHead, AuditLogPage, AuditLogVerification } from '../audit-log.js'
import { Budget, BudgetPage } from '../budget.js'
import { Connection, ConnectionPage, ConnectionTest } from '../connection.js'
import { Conversation, ConversationPage, MessagePage } from '../conversation.js'
import { ConversationRetention, ConversationRetentionPreview } from '../conversation-retention.js'
import { EndUser, EndUserPage } from '../end-user.js'
import { EndUserFact, EndUserFactPage } from '../end-user-fact.js'
import { LiveEvent } from '../live-event.js'
import {
  McpAuthorization,
  McpAuthorizationPage,
  McpConsent,
  McpConsentOutcome,
} from '../mcp-authorization.js'
import { McpGrantPage, McpRedirect, PresentedMcpRequest } from '../mcp-grant.js'
import { CreatedInvitation, InvitationPage, Member, MemberPage, PresentedInvitation } from '../member.js'
import { OfferedToolList } from '../offered-tool.js'
import { OidcRedirect, PersonSessionPage, RecoveryCodes, SignedIn, SignInWays, TotpSetup } from '../person.js'
import { PhoneCall, PhoneCallPage, PhoneCallStop } from '../phone-call.js'
import { PhoneCallStatistics } from '../phone-call-statistics.js'
import { PhoneConnection, PhoneConnectionPage, PhoneConnectionTest } from '../phone-connection.js'
import { PhoneNumber, PhoneNumberPage } from '../phone-number.js'
import { PriceList } from '../price.js'
import { QuestionAnswer } from '../question.js'
import { RealtimeSession, RealtimeSessionPage } from '../realtime/realtime-session.js'
import { RealtimeSessionTicket } from '../realtime/session-request.js'
import { RealtimeStatistics } from '../realtime/session-statistics.js'
import { RealtimeSessionTimeline } from '../realtime/session-timeline.js'
import { Task, TaskPage } from '../task.js'
import { TemporaryFile, TemporaryFilePage } from '../temporary-file.js'
import { ToolTrial } from '../tool-trial.js'
import { Usage } from '../usage.js'
import { CreatedWebhook, UpsertedWebhook, Webhook, WebhookPage } from '../webhook.js'
import { WebhookDelivery, WebhookDeliveryPage, WebhookRedeliveryCount } from '../webhook-delivery.js'
import {
  answered,
  approval,
  conversation,
  endUser,
  endUserAsText,
  endUserFact,
  erasedEndUser,
  liveEvents,
  messages,
  session,
  ticket,
  turnEvents,
  waiting,
} from './conversation-examples.js'
import {
  mcpAuthorization,
  mcpConsent,
  mcpConsentOutcome,
  mcpGrant,
  mcpRedirect,
  presentedMcpRequest,
} from './mcp-examples.js'
import {
  createdInvitation,
  invitation,
  me,
  member,
  oidcRedirect,
  personSession,
  presentedInvitation,
  recoveryCodes,
  signInWays,
  totpSetup,
} from './people-examples.js'
import {
  phoneCall,
  phoneCallStatistics,
  phoneConnection,
  phoneConnectionTest,
  phoneNumber,
} from './phone-examples.js'
import {
  agent,
  agentTest,
  agentTestRun,
  agentTestRunSummary,
  apiKey,
  auditHead,
  auditRecord,
  connection,
  connectionTest,
  createdApiKey,
  file,
  fileText,
  offeredTool,
  revision,
  revisionSummary,
  runningAgentTestRun,
  runningTask,
  task,
  toolTrial,
  verification,
} from './resource-examples.js'
import { statistics, timeline } from './session-examples.js'
import { budget, priceList, usage } from './usage-examples.js'
import { createdWebhook, redelivery, redeliveryCount, webhook, webhookDelivery } from './webhook-examples.js'

const pageOf = <Item>(...items: Item[]) => ({ items, totalCount: items.length, offset: 0, limit: 50 })

/** An example of each API response, by its schema. */
const examples = new Map<z.ZodType, unknown>([
  [SignInWays, signInWays],
  [OidcRedirect, oidcRedirect],
  [Agent, agent],
  [AgentPage, pageOf(agent)],
  [AgentRevision, revision],
  [AgentRevisionPage, pageOf(revisionSummary)],
  [AgentTest, agentTest],
  [AgentTestPage, pageOf(agentTest)],
  [AgentTestRun, agentTestRun],
  [AgentTestRunPage, pageOf(agentTestRunSummary)],
  [OfferedToolList, { items: [offeredTool] }],
  [ToolTrial, toolTrial],
  [Connection, connection],
  [ConnectionPage, pageOf(connection)],
  [ConnectionTest, connectionTest],
  [McpAuthorization, mcpAuthorization],
  [McpAuthorizationPage, pageOf(mcpAuthorization)],
  [McpConsent, mcpConsent],
  [McpConsentOutcome, mcpConsentOutcome],
  [McpGrantPage, pageOf(mcpGrant)],
  [PresentedMcpRequest, presentedMcpRequest],
  [McpRedirect, mcpRedirect],
  [Task, task],
  [TaskPage, pageOf(task)],
  [QuestionAnswer, answered],
  [RealtimeSessionTicket, ticket],
  [RealtimeSession, session],
  [RealtimeSessionPage, pageOf(session)],
  [RealtimeSessionTimeline, timeline],
  [RealtimeStatistics, statistics],
  [PhoneConnection, phoneConnection],
  [PhoneConnectionPage, pageOf(phoneConnection)],
  [PhoneConnectionTest, phoneConnectionTest],
  [PhoneNumber, phoneNumber],
  [PhoneNumberPage, pageOf(phoneNumber)],
  [PhoneCall, phoneCall],
  [PhoneCallPage, pageOf(phoneCall)],
  [PhoneCallStatistics, phoneCallStatistics],
  [PhoneCallStop, { calls: 2, phoneConnections: 1 }],
  [ConversationRetention, { conversationRetentionDays: 365 }],
  [
    ConversationRetentionPreview,
    { conversations: 12, messages: 148, oldestActivityAt: '2025-10-02T08:15:30.000Z' },
  ],
  [EndUser, endUser],
  [EndUserPage, pageOf(endUser)],
  [EndUserFact, endUserFact],
  [EndUserFactPage, pageOf(endUserFact)],
  [Conversation, conversation],
  [ConversationPage, pageOf(conversation)],
  [MessagePage, pageOf(...messages)],
  [Approval, approval],
  [ApprovalPage, pageOf(approval)],
  [TemporaryFile, file],
  [TemporaryFilePage, pageOf(file)],
  [Usage, usage],
  [PriceList, priceList],
  [Budget, budget],
  [BudgetPage, pageOf(budget)],
  [ApiKey, apiKey],
  [ApiKeyPage, pageOf(apiKey)],
  [CreatedApiKey, createdApiKey],
  [Member, member],
  [MemberPage, pageOf(member)],
  [InvitationPage, pageOf(invitation)],
  [CreatedInvitation, createdInvitation],
  [PresentedInvitation, presentedInvitation],
  [SignedIn, me],
  [PersonSessionPage, pageOf(personSession)],
  [TotpSetup, totpSetup],
  [RecoveryCodes, recoveryCodes],
  [AuditLogPage, pageOf(auditRecord)],
  [AuditLogHead, auditHead],
  [AuditLogVerification, verification],
  [Webhook, webhook],
  [WebhookPage, pageOf(webhook)],
  [CreatedWebhook, createdWebhook],
  [UpsertedWebhook, webhook],
  [WebhookDelivery, webhookDelivery],
  [WebhookDeliveryPage, pageOf(webhookDelivery)],
])

/** Examples of 202 responses, by their schema. The work continues in the background. */
const acceptedExamples = new Map<z.ZodType, unknown>([
  [QuestionAnswer, waiting],
  [WebhookDelivery, redelivery],
  [WebhookRedeliveryCount, redeliveryCount],
  [Task, runningTask],
  [AgentTestRun, runningAgentTestRun],
  [EndUser, erasedEndUser],
])

/** Returns the example of a response with this schema and status, or undefined if there is none. */
export const responseExampleOf = (schema: z.ZodType, status: number): unknown =>
  (status === 202 ? acceptedExamples : examples).get(schema)

const { actor, details, ...record } = auditRecord

const recordsAsText: Readonly<Record<string, string>> = {
  'application/x-ndjson': `${JSON.stringify(auditRecord)}\n`,
  'text/csv':
    'id,at,actorType,actorId,actorName,action,resourceType,resourceId,outcome,ipAddress,requestId,details,sequence,hash,keyId\n' +
    `${record.id},${record.at},${actor.type},${actor.id},"${actor.name}",${record.action},${record.resourceType},` +
    `${record.resourceId},${record.outcome},${record.ipAddress},${record.requestId},` +
    `"${JSON.stringify(details).replaceAll('"', '""')}",${record.sequence},${record.hash},${record.keyId}\n`,
}

const textsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  exportAuditLog: recordsAsText,
  exportEndUser: { 'application/x-ndjson': endUserAsText },
}

/** Returns the example of a response that is not JSON, or undefined if its media type is binary. */
export const textExampleOf = (operationId: string, mediaType: string): string | undefined =>
  textsOf[operationId]?.[mediaType] ?? fileText[mediaType]

const eventsAsText = (events: readonly { readonly id: number | string; readonly event: object }[]) =>
  events.map(({ id, event }) => `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`).join('')

/** Returns example server-sent events with this schema, in wire format. */
export const eventStreamExampleOf = (events: z.ZodType): string =>
  eventsAsText(
    events === LiveEvent ? liveEvents : turnEvents.map((event, index) => ({ id: index + 1, event })),
  )
