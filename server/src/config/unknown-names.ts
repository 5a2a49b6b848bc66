const prefix = 'PARLEY_'

/** One mistake for each variable with our prefix that is no setting: a typing mistake must not pass in silence. */
export function unknownNames(
  given: Readonly<Record<string, string>>,
  known: readonly string[],
): readonly string[] {
  return Object.entries(given)
    .filter(
      ([name, value]) => name.startsWith(prefix) && !known.includes(name) && !isServiceLink(name, value),
    )
    .map(([name]) => {
      const suggestion = nearestName(name, known)
      return suggestion === null
        ? `${name} is not a setting; accepted: the names that .env.example lists`
        : `${name} is not a setting; did you mean ${suggestion}?`
    })
}

const serviceLink =
  /^PARLEY_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/

/** Kubernetes puts these into every pod beside a service whose name begins with "parley"; nobody typed them. */
function isServiceLink(name: string, value: string): boolean {
  return serviceLink.test(name) || (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value))
}

/** The known name that the given one most likely meant, also when only the prefix is too much (PARLEY_PORT). */
function nearestName(name: string, known: readonly string[]): string | null {
  const unprefixed = name.slice(prefix.length)
  const [nearest] = known
    .map((candidate) => ({
      candidate,
      distance: Math.min(editDistance(name, candidate), editDistance(unprefixed, candidate)),
    }))
    .filter(({ candidate, distance }) => distance <= Math.min(3, candidate.length / 4))
    .sort((a, b) => a.distance - b.distance)
  return nearest?.candidate ?? null
}

/** Levenshtein: how many characters to insert, delete or replace. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, char] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(row, column - 1) + (char === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, at(row, column) + 1, at(next, column - 1) + 1))
    }
    row = next
  }
  return at(row, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
