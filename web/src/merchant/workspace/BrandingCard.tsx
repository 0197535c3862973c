// The way to the workspace's branding.
import { Palette } from 'lucide-react';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';

export function BrandingCard() {
  return (
    <Card title="Branding">
      <p className="text-sm">
        Show your name, logo and color on checkout pages, payment links and receipts. Your handle always stays beside
        them.
      </p>
      <ButtonLink href="/workspace/branding" className="min-h-12! self-start max-sm:w-full">
        <Palette aria-hidden="true" className="size-4" />
        Edit branding
      </ButtonLink>
    </Card>
  );
}
