import { PageFrame } from '../../parts/page-frame'

export function AgentPage() {
  return <PageFrame title="Agent">{null}</PageFrame>
}
