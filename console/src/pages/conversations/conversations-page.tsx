import { PageFrame } from '../../parts/page-frame'

export function ConversationsPage() {
  return <PageFrame title="Conversations">{null}</PageFrame>
}
