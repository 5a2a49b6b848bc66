import { readTop, readYaml, valuesAt } from './deploy-files.js'

/** Words of the query language that no parenthesis follows. */
const keywords = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan'])

/** Returns the metrics that a query names. */
export function metricsOf(query: string): readonly string[] {
  const bare = query
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '')
  return [...bare.matchAll(/(?<![\w.])([a-z_:][\w:]*)\b(?!\s*\()/gi)]
    .map(([, name = '']) => name)
    .filter((name) => !keywords.has(name.toLowerCase()))
}

/** Every query of the alert rules and the dashboard. */
export function deployedQueries(): readonly string[] {
  const rules = readYaml('deploy/prometheus/alerts.yaml').flatMap((document) =>
    valuesAt(document, 'groups', '*', 'rules', '*', 'expr'),
  )
  const dashboard: unknown = JSON.parse(readTop('deploy/grafana/parley.json'))
  const panels = valuesAt(dashboard, 'panels', '*', 'targets', '*', 'expr')
  const variables = valuesAt(dashboard, 'templating', 'list', '*', 'query')
    .map((query) => /^label_values\((.*), \w+\)$/.exec(String(query))?.[1])
    .filter((query) => query !== undefined)
  return [...rules, ...panels, ...variables].map(String)
}

/** The names that Prometheus stores for `/metrics`. A histogram has several. */
export function metricsIn(text: string): ReadonlySet<string> {
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  )
  return new Set(names)
}
