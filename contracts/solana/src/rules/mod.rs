//! What the program decides, without accounts and calls: tested on the host.

pub mod campaigns;
pub mod keys;
pub mod money;
pub mod orders;
pub mod roles;
pub mod spending;
pub mod subscriptions;
pub mod tabs;
