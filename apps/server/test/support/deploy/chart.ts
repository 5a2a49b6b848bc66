import { createHash } from 'node:crypto'
import { deployFiles, readTop } from './deploy-files.js'

export const chartFolder = 'deploy/helm/parley'
export const manifestsPath = 'deploy/kubernetes/parley.yaml'

/** The chart's templates that become objects, in the order in which they are rendered. */
export function chartTemplates(): readonly string[] {
  return deployFiles('helm/parley/templates').filter((path) => path.endsWith('.yaml'))
}

/** Returns a hash of all files of the chart that affect the rendering. */
function chartHash(): string {
  const hash = createHash('sha256')
  for (const path of [`${chartFolder}/Chart.yaml`, `${chartFolder}/values.yaml`, ...chartTemplates()])
    hash.update(path).update(readTop(path))
  return hash.digest('hex')
}

/** Returns the header of the rendered manifests: their source and the hash of the chart. */
export function manifestsHeader(): string {
  return [
    '# Rendered from deploy/helm/parley with its default values by `npm run check:deploy -- --update`, for clusters without Helm.',
    '# Replace image, address and networks. Create the namespace and the Secret first (docs/guide/deploying.md).',
    `# chart ${chartHash()}`,
    '',
  ].join('\n')
}
