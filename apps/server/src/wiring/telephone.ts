import { isPublicAddress } from '../adapters/outbound/address-rules.js'
import { makeAnnouncements } from '../adapters/telephone/announcements.js'
import { makeCarriers } from '../adapters/telephone/carriers.js'
import { makePhoneLines } from '../adapters/telephone/phone-lines.js'
import type { Config } from '../config/config.js'
import { makePhoneCalls } from '../domain/telephone/phone-calls.js'
import { makePhoneConnections, openSecrets } from '../domain/telephone/phone-connections.js'
import { makePhoneNumbers } from '../domain/telephone/phone-numbers.js'
import { RunningCalls, type RunningCallsDependencies } from '../domain/telephone/running-calls.js'
import { SipLines } from '../domain/telephone/sip-lines.js'
import type { Services } from '../edge/http/services.js'
import type { Foundation } from './foundation.js'
import type { ComposedModels } from './models.js'

interface TelephoneOptions
  extends Omit<
      RunningCallsDependencies,
      'carriers' | 'lines' | 'announcements' | 'settings' | 'leaseSeconds' | 'provider' | 'discoverMcpTools'
    >,
    Pick<Foundation, 'outbound'> {
  readonly config: Config
  readonly models: Pick<ComposedModels, 'realtime' | 'speak'>
  readonly tools: { readonly trials: Pick<RunningCallsDependencies, 'discoverMcpTools'> }
}

type TelephoneServices =
  | 'phoneCalls'
  | 'phoneConnections'
  | 'phoneNumbers'
  | 'carriers'
  | 'calls'
  | 'phoneLines'
  | 'timers'

interface ComposedTelephone extends Pick<Services, TelephoneServices> {
  /** The SIP lines of this instance. */
  readonly lines: SipLines
}

/** Connects the telephone's resources, the requests to its providers, and the calls of this instance. */
export function composeTelephone(options: TelephoneOptions): ComposedTelephone {
  const { clock, limits, cipher, outbound, timers, publicUrl, log, config, models, tools } = options
  const carriers = makeCarriers({
    outbound,
    timers,
    publicUrl,
    openSecrets: (connection) => openSecrets(cipher, connection),
  })
  const phoneLines = makePhoneLines({
    outbound,
    timers,
    log,
    isPublicAddress,
    audioPorts: config.phoneAudioPorts,
    openPassword: (connection) => openSecrets(cipher, connection)?.secret ?? null,
  })
  const lines = new SipLines({
    ...options,
    lines: phoneLines,
    leaseSeconds: config.leaseSeconds,
    called: (connection, leg) => calls.receive(connection, leg),
  })
  const calls = new RunningCalls({
    ...options,
    announcements: makeAnnouncements({ timers, log, speak: models.speak }),
    carriers,
    lines,
    settings: config.realtime,
    leaseSeconds: config.leaseSeconds,
    provider: models.realtime,
    discoverMcpTools: tools.trials.discoverMcpTools,
  })
  return {
    phoneCalls: makePhoneCalls({ clock, limits }),
    phoneConnections: makePhoneConnections({ clock, limits, cipher, outbound }),
    phoneNumbers: makePhoneNumbers({ clock, limits }),
    carriers,
    calls,
    phoneLines,
    lines,
    timers,
  }
}
