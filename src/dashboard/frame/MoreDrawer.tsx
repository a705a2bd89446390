import { Drawer } from '../parts/Modal.tsx'
import { Avatar } from '../parts/Page.tsx'
import styles from './frame.module.css'
import { PersonMenu } from './PersonMenu.tsx'
import { useSession } from '../app/session.ts'
import { CompanySwitch, Navigation } from './SideBar.tsx'

/** The drawer on phones with everything that the bottom bar has no space for. */
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
