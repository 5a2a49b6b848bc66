import { PageFrame } from '../../parts/page-frame'

export function AccountPage() {
  return <PageFrame title="Your account">{null}</PageFrame>
}
