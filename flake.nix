# For Nix, and not tried yet: nix run .
{
  description = "Pencil-and-paper and dice games at one table, in a terminal";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "quadrille";
          version = (nixpkgs.lib.importTOML ./Cargo.toml).workspace.package.version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          buildType = "dist";
          # The tests want python3 and an OpenSSH server.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            sh assets/package/make stage $out/bin/quadrille stage
            installManPage stage/man/*.1
            installShellCompletion --cmd quadrille --bash stage/completions/quadrille \
              --zsh stage/completions/_quadrille --fish stage/completions/quadrille.fish
            install -Dm644 assets/package/quadrille.desktop -t $out/share/applications
            install -Dm644 assets/package/quadrille.metainfo.xml -t $out/share/metainfo
            install -Dm644 assets/package/quadrille.svg -t $out/share/icons/hicolor/scalable/apps
            mkdir -p $out/share/doc && cp -r stage/doc $out/share/doc/quadrille
          '';
          meta.mainProgram = "quadrille";
        };
      });
    };
}
