// Leads to where one's own page is switched on and shaped.
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';

export function PageCard() {
  return (
    <Card title="Your page">
      <p className="text-sm text-muted">
        A page of your own on which anyone can pay you, with a link, a picture and a poster.
      </p>
      <ButtonLink className="self-start" href="/settings/page">
        Open your page’s settings
      </ButtonLink>
    </Card>
  );
}
