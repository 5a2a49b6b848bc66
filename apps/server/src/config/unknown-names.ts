import { distance } from 'fastest-levenshtein'

const prefix = 'PARLEY_'

/** Variables of clients, such as the commands of the guide and the examples. The service ignores them. */
const clientNames: readonly string[] = ['PARLEY_URL', 'PARLEY_ORG_ID', 'PARLEY_API_KEY', 'PARLEY_AGENT_ID']

/**
 * Returns an error for each variable with our prefix that is not a setting, in order to catch typing errors.
 */
export function unknownNames(
  given: Readonly<Record<string, string>>,
  known: readonly string[],
): readonly string[] {
  return Object.entries(given)
    .filter(
      ([name, value]) =>
        name.startsWith(prefix) &&
        !known.includes(name) &&
        !clientNames.includes(name) &&
        !isServiceLink(name, value),
    )
    .map(([name]) => {
      const suggestion = nearestName(name, known)
      return suggestion === null
        ? `${name} is not a setting; accepted: the names in .env.example`
        : `${name} is not a setting; did you mean ${suggestion}?`
    })
}

const serviceLink =
  /^PARLEY_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/

/**
 * Whether Kubernetes sets the variable. It adds such variables for every service whose name begins with
 * "parley".
 */
function isServiceLink(name: string, value: string): boolean {
  return serviceLink.test(name) || (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value))
}

/** Returns the most similar known name, or null. It also finds names with an extra prefix (PARLEY_PORT). */
function nearestName(name: string, known: readonly string[]): string | null {
  const unprefixed = name.slice(prefix.length)
  const [nearest] = known
    .map((candidate) => ({
      candidate,
      edits: Math.min(distance(name, candidate), distance(unprefixed, candidate)),
    }))
    .filter(({ candidate, edits }) => edits <= Math.min(3, candidate.length / 4))
    .sort((a, b) => a.edits - b.edits)
  return nearest?.candidate ?? null
}
