import { Drawer } from '../parts/Modal.tsx'
import { Avatar } from '../parts/Page.tsx'
import styles from './frame.module.css'
import { PersonMenu } from './PersonMenu.tsx'
import { useSession } from '../app/session.ts'
import { CompanySwitch, Navigation } from './SideBar.tsx'

/** The content of the side bar as a drawer on phones: the switch of projects, all pages and the member's menu. */
export function MoreDrawer({ onClose }: { onClose(): void }) {
  const { person } = useSession()
  return (
    <Drawer
      opened
      onClose={onClose}
      position="bottom"
      size="85%"
      title={
        <span className={styles.drawerTitle}>
          <Avatar name={person.name} /> <bdi>{person.name ?? person.email}</bdi>
        </span>
      }
    >
      <CompanySwitch />
      <Navigation onGo={onClose} />
      <PersonMenu />
    </Drawer>
  )
}
