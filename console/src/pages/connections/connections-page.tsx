import { PageFrame } from '../../parts/page-frame'

export function ConnectionsPage() {
  return <PageFrame title="Connections">{null}</PageFrame>
}
