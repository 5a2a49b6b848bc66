import { makeAnnouncements } from '../adapters/telephone/announcements.js'
import { makeCarriers } from '../adapters/telephone/carriers.js'
import type { Config } from '../config/config.js'
import { makePhoneCalls } from '../domain/telephone/phone-calls.js'
import { makePhoneConnections, openSecrets } from '../domain/telephone/phone-connections.js'
import { makePhoneNumbers } from '../domain/telephone/phone-numbers.js'
import { RunningCalls, type RunningCallsDependencies } from '../domain/telephone/running-calls.js'
import type { Services } from '../edge/http/services.js'
import type { Foundation } from './foundation.js'
import type { ComposedModels } from './models.js'

interface TelephoneOptions
  extends Omit<
      RunningCallsDependencies,
      'carriers' | 'announcements' | 'settings' | 'leaseSeconds' | 'provider' | 'discoverMcpTools'
    >,
    Pick<Foundation, 'outbound'> {
  readonly config: Config
  readonly models: Pick<ComposedModels, 'realtime' | 'speak'>
  readonly tools: { readonly trials: Pick<RunningCallsDependencies, 'discoverMcpTools'> }
}

/** Connects the telephone's resources, the requests to its providers, and the calls of this instance. */
export function composeTelephone(
  options: TelephoneOptions,
): Pick<Services, 'phoneCalls' | 'phoneConnections' | 'phoneNumbers' | 'carriers' | 'calls'> {
  const { clock, limits, cipher, outbound, timers, publicUrl, log, config, models, tools } = options
  const carriers = makeCarriers({
    ...{ outbound, timers, publicUrl },
    openSecrets: (connection) => openSecrets(cipher, connection),
  })
  return {
    phoneCalls: makePhoneCalls({ clock, limits }),
    phoneConnections: makePhoneConnections({ clock, limits, cipher, outbound }),
    phoneNumbers: makePhoneNumbers({ clock, limits }),
    carriers,
    calls: new RunningCalls({
      ...options,
      announcements: makeAnnouncements({ timers, log, speak: models.speak }),
      ...{ carriers, settings: config.realtime, leaseSeconds: config.leaseSeconds },
      ...{ provider: models.realtime, discoverMcpTools: tools.trials.discoverMcpTools },
    }),
  }
}
