import { operations } from '@parley/contract'
import { readCallStatistics } from '../../../domain/telephone/call-statistics.js'
import { testPhoneConnection } from '../../../domain/telephone/test-phone-connection.js'
import { transferCall } from '../../../domain/telephone/transfer-call.js'
import type { Router } from '../operation-route.js'
import type { Services } from '../services.js'

export function registerPhoneRoutes({ read, write, upsert, act }: Router, services: Services): void {
  const { clock, phoneCalls, phoneConnections, phoneNumbers } = services
  read(operations.listPhoneConnections, ({ query }, scope) => phoneConnections.list(scope, query))
  write(operations.createPhoneConnection, ({ body }, scope) => phoneConnections.create(scope, body))
  read(operations.getPhoneConnection, ({ params }, scope) =>
    phoneConnections.read(scope, params.phoneConnectionId),
  )
  write(operations.replacePhoneConnection, ({ params, ifMatch, body }, scope) =>
    phoneConnections.replace(scope, { id: params.phoneConnectionId, ifMatch }, body),
  )
  write(operations.patchPhoneConnection, ({ params, ifMatch, body }, scope) =>
    phoneConnections.patch(scope, { id: params.phoneConnectionId, ifMatch }, body),
  )
  upsert(operations.upsertPhoneConnection, ({ params, ifMatch, body }, scope) =>
    phoneConnections.upsert(scope, { externalId: params.externalId, ifMatch }, body),
  )
  write(operations.deletePhoneConnection, ({ params, ifMatch }, scope) =>
    phoneConnections.remove(scope, { id: params.phoneConnectionId, ifMatch }),
  )
  act(operations.testPhoneConnection, ({ params }, scope) =>
    testPhoneConnection(services, scope, params.phoneConnectionId),
  )

  read(operations.listPhoneNumbers, ({ query }, scope) => phoneNumbers.list(scope, query))
  write(operations.createPhoneNumber, ({ body }, scope) => phoneNumbers.create(scope, body))
  read(operations.getPhoneNumber, ({ params }, scope) => phoneNumbers.read(scope, params.phoneNumberId))
  write(operations.replacePhoneNumber, ({ params, ifMatch, body }, scope) =>
    phoneNumbers.replace(scope, { id: params.phoneNumberId, ifMatch }, body),
  )
  write(operations.patchPhoneNumber, ({ params, ifMatch, body }, scope) =>
    phoneNumbers.patch(scope, { id: params.phoneNumberId, ifMatch }, body),
  )
  upsert(operations.upsertPhoneNumber, ({ params, ifMatch, body }, scope) =>
    phoneNumbers.upsert(scope, { externalId: params.externalId, ifMatch }, body),
  )
  write(operations.deletePhoneNumber, ({ params, ifMatch }, scope) =>
    phoneNumbers.remove(scope, { id: params.phoneNumberId, ifMatch }),
  )

  read(operations.listPhoneCalls, ({ query }, scope) => phoneCalls.list(scope, query))
  read(operations.getPhoneCallStatistics, ({ query }, scope) => readCallStatistics({ clock }, scope, query))
  read(operations.getPhoneCall, ({ params }, scope) => phoneCalls.read(scope, params.phoneCallId))
  write(operations.makeCall, ({ params, body }, scope) => phoneCalls.make(scope, params.agentId, body))
  act(operations.transferPhoneCall, ({ params, body }, scope) =>
    transferCall(services, scope, { id: params.phoneCallId, to: body.to }),
  )
  write(operations.sendPhoneCallDigits, ({ params, body }, scope) =>
    phoneCalls.sendDigits(scope, params.phoneCallId, body),
  )
  write(operations.hangUpPhoneCall, ({ params }, scope) => phoneCalls.hangUp(scope, params.phoneCallId))
  write(operations.stopPhoneCalls, (_call, scope) => phoneCalls.stopAll(scope))
}
