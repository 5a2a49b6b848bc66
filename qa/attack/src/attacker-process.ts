import { setPriority } from 'node:os'
import { serveCommands } from '@parley/stage/processes/part'
import type { Credentials } from '@parley/stage/service/api'
import { attacks } from './attack-table.js'
import { type Attack, type Stage, setUpStage, within } from './stage.js'

export type AttackerCommand =
  | {
      readonly command: 'set-up'
      readonly url: string
      readonly attacker: Credentials
      readonly neighbor: Credentials
      readonly names: readonly string[]
      readonly scale: number
    }
  | { readonly command: 'attack'; readonly names: readonly string[]; readonly scale: number }

const attackMilliseconds = 90_000
/** Real attackers use other machines, so this process must not take the processor of the measured service. */
const attackerPriority = 15

let stage: Omit<Stage, 'scale'> | undefined

setPriority(attackerPriority)
// Errors of connections that an attack left open must not end this process.
process.on('unhandledRejection', () => undefined)
serveCommands<AttackerCommand>(async (command) => {
  if (command.command === 'set-up') {
    stage = await setUpStage(command.url, command)
    for (const name of command.names) await find(name).warmUp?.({ ...stage, scale: command.scale })
    return undefined
  }
  const { names, scale } = command
  const outcomes = await Promise.all(names.map((name) => attack(name, scale)))
  return outcomes.filter((outcome) => outcome !== '').join('; ')
})

async function attack(name: string, scale: number): Promise<string> {
  if (stage === undefined) throw new Error('The attackers were not set up.')
  const attacker = await stage.attacker.withOwnKey()
  const outcome = await within(attackMilliseconds, find(name).run({ ...stage, attacker, scale }))
  if (outcome === null) throw new Error(`${name} did not end within ${attackMilliseconds / 1000} s`)
  return outcome
}

function find(name: string): Attack {
  const found = attacks.find((each) => each.name === name)
  if (found === undefined) throw new Error(`Unknown attack: ${name}.`)
  return found
}
