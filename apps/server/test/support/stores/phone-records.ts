import { v7 as uuid } from 'uuid'
import type { PhoneCallRecord, PhoneConnectionRecord, PhoneNumberRecord } from '#server/ports/phone-stores.js'

const moment = '2030-01-02T03:04:05.678Z'

const resource = (organizationId: string) => ({
  ...{ id: uuid(), organizationId, version: 1, createdAt: moment, updatedAt: moment },
})

const kept = () => ({ externalId: `external-${uuid()}`, managedBy: 'hotel' })

/** Records with every field set, so a field that is not stored is noticed. */
export function makePhoneConnection(organizationId: string): PhoneConnectionRecord {
  return {
    ...resource(organizationId),
    ...{ name: 'Front desk', kind: 'twilio', accountId: 'AC1', baseUrl: 'https://api.example.com' },
    sip: {
      ...{ host: 'sip.example.com', port: 5070, transport: 'tcp', domain: 'example.com', loginName: 'ann' },
      ...{ encryption: 'offered', registers: false, publicAddress: '192.0.2.1' },
      ...{ localPort: 5080, callerId: 'p_preferred_identity', numberFormat: 'digits' },
    },
    ...{ sealedSecret: 'v1.sealed', sealedWebhookSecret: 'v1.webhook', lineInstanceId: uuid() },
    ...{ isEnabled: false, maxCalls: 3, allowedPrefixes: ['+49', '+41'] },
    ...{ maxCallsPerHour: 7, quietHours: { from: '21:00', to: '08:00', timeZone: 'UTC' } },
    pricePerMinute: { incoming: 0.01, outgoing: 0.02 },
    ...{ failure: 'It failed.', checkedAt: moment },
    ...kept(),
  }
}

export function makePhoneNumber({ organizationId, id }: PhoneConnectionRecord): PhoneNumberRecord {
  return {
    ...resource(organizationId),
    ...{ name: 'Reception', number: '+4930123456', phoneConnectionId: id, agentId: uuid() },
    ...{
      greeting: 'Hello.',
      language: 'de-AT',
      turnDetection: { type: 'server_vad', silenceMilliseconds: 400 },
    },
    ...{ allowedCallers: ['+49'], blockedCallers: ['+4930'], isEnabled: false },
    transferTargets: [{ name: 'Night porter', number: '+4930654321' }],
    ...kept(),
  }
}

/** A call that has ended. */
export function makePhoneCall(
  organizationId: string,
  fields: Partial<PhoneCallRecord> = {},
): PhoneCallRecord {
  return {
    ...resource(organizationId),
    ...{ direction: 'outgoing', from: '+4930123456', to: '+4930654321', state: 'ended' },
    ...{ endReason: 'failed', endDetail: 'It failed.', phoneConnectionId: uuid(), phoneNumberId: uuid() },
    ...{ agentId: uuid(), conversationId: uuid(), realtimeSessionId: uuid(), endUserId: uuid() },
    ...{ apiKeyId: uuid(), providerCallId: uuid(), answeredAt: moment, endedAt: moment },
    ...{ instanceId: uuid(), tokenHash: uuid(), endRequestedAt: moment, digitsRequested: '12#' },
    setup: {
      ...{ greeting: 'Hello.', additionalInstructions: 'Be brief.', language: 'de-AT', voicemail: 'hang_up' },
      turnDetection: { type: 'semantic_vad', eagerness: 'low' },
      transferTargets: [],
    },
    ...fields,
  }
}
