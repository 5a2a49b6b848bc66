import type { Service } from '#server/wiring/service.js'

/**
 * Every route of the application, as `GET /api/v1/Agent/{agentId}`, read from Fastify's printed route tree.
 */
export function routesOf(app: Service['app']): string[] {
  const branch: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', path = '', methods = ''] = /^([│ ]*)[├└]── (\S+) \(([A-Z, ]+)\)$/.exec(line) ?? []
      branch.splice(indent.length / 4, Number.POSITIVE_INFINITY, path)
      const full = branch.join('').replaceAll(/:(\w+)/g, '{$1}')
      return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${full}`)
    })
}
