// The face of a workspace, as its owner sees it.
import { z } from 'zod';

const colour = z.string().regex(/^#[0-9a-f]{6}$/);

export const brandingSettings = z.strictObject({
  name: z.string().nullable(),
  /** A path of ours, which changes with the picture. */
  logo_url: z.string().nullable(),
  /** As it was chosen, and as light and dark pages use it, so that text can be read. */
  accent: z.strictObject({ chosen: colour, light: colour, dark: colour }).nullable(),
  /** An e-mail address or an https URL. */
  support: z.string().nullable(),
});
export type BrandingSettings = z.infer<typeof brandingSettings>;

export const brandingAnswer = z.strictObject({ branding: brandingSettings });
