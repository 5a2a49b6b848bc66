import { makeRandom } from '@parley/stage/load/seeded-random'
import { serveCommands } from '@parley/stage/processes/part'
import type { ClientRecords } from '../records/client-records.js'
import { askOn } from './asker.js'
import { decideOn } from './clerk.js'
import { Ledger } from './ledger.js'
import type { LoadStage } from './load-stage.js'
import { handOverOn } from './tasker.js'
import type { Tenant } from './tenant.js'
import { uploadOn } from './uploader.js'
import { VoiceUser } from './voice-user.js'

export interface LoadSize {
  readonly sessions: number
  readonly askers: number
  readonly uploaders: number
  readonly taskers: number
}

export type LoadCommand =
  | {
      readonly command: 'start'
      readonly url: string
      readonly tenants: readonly Tenant[]
      readonly size: LoadSize
      readonly seed: number
    }
  /** Lets all users finish their work, then returns the books. */
  | { readonly command: 'finish' }
  | { readonly command: 'figures' }

export interface LoadFigures {
  readonly openSessions: number
  readonly turns: number
}

const ledger = new Ledger()
let stage: LoadStage | null = null
let working: Promise<unknown> = Promise.resolve()
let deciding: Promise<unknown> = Promise.resolve()
let isDeciding = true

serveCommands<LoadCommand>(async (command): Promise<ClientRecords | LoadFigures | undefined> => {
  switch (command.command) {
    case 'start':
      start(command)
      return
    case 'figures':
      return {
        openSessions: ledger.sessions.filter(({ closedAt }) => closedAt === null).length,
        turns: ledger.sessions.reduce((sum, { turns }) => sum + turns.length, 0),
      }
    case 'finish':
      if (stage) stage.isOver = true
      await working
      isDeciding = false
      await deciding
      return ledger.records()
  }
})

function start({ url, tenants, size, seed }: LoadCommand & { readonly command: 'start' }): void {
  const begun: LoadStage = { url, ledger, random: makeRandom(seed), isOver: false }
  stage = begun
  const each = (count: number, work: (tenant: Tenant, index: number) => Promise<void>) =>
    Array.from({ length: count }, (_, index) => {
      const tenant = tenants[index % tenants.length]
      return tenant && work(tenant, index + 1)
    })
  working = Promise.all([
    ...each(size.sessions, (tenant, index) => new VoiceUser(begun, tenant, index).talk()),
    ...each(size.askers, (tenant, index) => askOn(begun, tenant, index)),
    ...each(size.uploaders, (tenant) => uploadOn(begun, tenant)),
    ...each(size.taskers, (tenant, index) => handOverOn(begun, tenant, index)),
  ])
  deciding = Promise.all(tenants.map((tenant) => decideOn(begun, tenant, () => isDeciding)))
}
