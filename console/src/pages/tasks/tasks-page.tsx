import { PageFrame } from '../../parts/page-frame'

export function TasksPage() {
  return <PageFrame title="Tasks">{null}</PageFrame>
}
