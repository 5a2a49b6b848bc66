import { PageFrame } from '../../parts/page-frame'

export function AgentsPage() {
  return <PageFrame title="Agents">{null}</PageFrame>
}
