import type { PhoneConnectionEntry, PhoneNumberEntry } from '@parley/contract'
import type { PhoneConnection, PhoneConnectionInput, PhoneNumber, PhoneNumberInput } from '@parley/sdk'
import { idOfOne, type ManagedKind, noHeaders, type Reference, renamed } from './managed-kinds.js'

export const phoneConnectionKind: ManagedKind<PhoneConnectionEntry, PhoneConnection, PhoneConnectionInput> = {
  name: 'phoneConnections',
  noun: 'phone connection',
  calls: (parley) => parley.phoneConnections,
  referencesOf: () => [],
  formOfEntry: ({ id: _, secret: __, webhookSecret: ___, ...entry }) => entry,
  formOfStored({ name, kind, accountId, sip, baseUrl, isEnabled, ...stored }) {
    const { maxCalls, allowedPrefixes, maxCallsPerHour, quietHours, pricePerMinute } = stored
    const limits = { maxCalls, allowedPrefixes, maxCallsPerHour, quietHours, pricePerMinute }
    return { name, kind, accountId, sip, baseUrl, isEnabled, ...limits }
  },
  hasSecrets: ({ secret, webhookSecret }) => secret !== undefined || webhookSecret !== undefined,
  headerNamesOf: () => noHeaders,
  bodyOf: ({ id: _, ...entry }, __, { marks }) => ({ ...entry, ...marks }),
  fieldNames: {},
}

export const phoneNumberKind: ManagedKind<PhoneNumberEntry, PhoneNumber, PhoneNumberInput> = {
  name: 'phoneNumbers',
  noun: 'phone number',
  calls: (parley) => parley.phoneNumbers,
  referencesOf: ({ phoneConnection, agent }): readonly Reference[] => [
    ...(phoneConnection === null
      ? []
      : [{ kind: 'phoneConnections', name: phoneConnection, path: ['phoneConnection'] } as const]),
    ...(agent === null ? [] : [{ kind: 'agents', name: agent, path: ['agent'] } as const]),
  ],
  formOfEntry: ({ id: _, phoneConnection, agent, ...entry }, rename) => ({
    ...entry,
    phoneConnection: renamed('phoneConnections', phoneConnection, rename),
    agent: renamed('agents', agent, rename),
  }),
  formOfStored({ name, number, greeting, language, turnDetection, ...stored }, nameOf) {
    const { allowedCallers, blockedCallers, transferTargets, isEnabled } = stored
    return {
      name,
      number,
      greeting,
      language,
      turnDetection,
      allowedCallers,
      blockedCallers,
      transferTargets,
      isEnabled,
      phoneConnection: renamed('phoneConnections', stored.phoneConnectionId, nameOf),
      agent: renamed('agents', stored.agentId, nameOf),
    }
  },
  hasSecrets: () => false,
  headerNamesOf: () => noHeaders,
  bodyOf: ({ id: _, phoneConnection, agent, ...entry }, idOf, { marks }) => ({
    ...entry,
    phoneConnectionId: idOfOne('phoneConnections', phoneConnection, idOf),
    agentId: idOfOne('agents', agent, idOf),
    ...marks,
  }),
  fieldNames: { phoneConnectionId: 'phoneConnection', agentId: 'agent' },
}
